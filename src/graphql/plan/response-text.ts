import { GraphQLError } from 'graphql';
import type { ResponseSize } from '../../limits/response-size.ts';
import type { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { type Completer, FallBackToGraphQLJs } from './value-completer.ts';

/** A larger text is counted first and then written in pieces, so that other requests are served meanwhile. */
const MAX_BYTES_AT_ONCE = 256 * 1024;
/** Counting stops after this many values if the size exceeds the limit; below it the size is exact. */
const MAX_COUNTED_VALUES = 3_000_000;
/** Strings of at least this length are counted once, however often they occur. */
const LONG_STRING_LENGTH = 256;
/** Bytes of `null` and `true`. */
const NULL_BYTES = 4;
const FALSE_BYTES = 5;

/** Thrown when the size exceeds the limit; nothing further is completed or counted. */
class SizeExceeded extends Error {}

/** A lower bound of the bytes of a JSON text, nearly free to compute. Throws above the limit. */
export class MinimumSize {
  readonly #maxBytes: number;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) throw new SizeExceeded();
  }

  leaf(value: unknown): void {
    this.add(typeof value === 'string' ? value.length + 2 : 1);
  }
}

/** Counts the bytes that JSON.stringify writes. `times` is the number of aliases of a field. */
export class ExactSize {
  readonly #maxBytes: number;
  readonly #longStrings = new Map<string, number>();
  #counted = 0;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: number, times: number): void {
    this.bytes += bytes * times;
    this.#counted += 1;
    if (this.#counted > MAX_COUNTED_VALUES && this.bytes > this.#maxBytes) throw new SizeExceeded();
  }

  leaf(value: unknown, times: number): void {
    this.add(this.#leafBytes(value), times);
  }

  #leafBytes(value: unknown): number {
    if (typeof value === 'string')
      return value.length < LONG_STRING_LENGTH ? stringBytes(value) : this.#longStringBytes(value);
    if (typeof value === 'number') return String(value).length;
    return value === false ? FALSE_BYTES : NULL_BYTES;
  }

  #longStringBytes(value: string): number {
    const known = this.#longStrings.get(value);
    if (known !== undefined) return known;
    const bytes = stringBytes(value);
    this.#longStrings.set(value, bytes);
    return bytes;
  }
}

/** The JSON text of a value. Throws if the response would exceed its limit, before a large text is made. */
export function writeText(
  completer: Completer,
  value: unknown,
  responseSize: ResponseSize | undefined,
  slices: EventLoopSlices,
): string | Promise<string> {
  let completed: unknown;
  try {
    completed = completer.complete(value, new MinimumSize(MAX_BYTES_AT_ONCE));
  } catch (error) {
    if (!(error instanceof SizeExceeded)) throw error;
    responseSize?.write(sizeOf(completer, value, responseSize.maxBytes));
    return writeInPieces(completer, value, slices);
  }
  const text = JSON.stringify(completed);
  responseSize?.write(Buffer.byteLength(text));
  return text;
}

/** The JSON text of a scalar. Throws if the response would exceed its limit. */
export function writeLeaf(completer: Completer, value: unknown, responseSize: ResponseSize | undefined): string {
  const text = JSON.stringify(completer.complete(value, null));
  responseSize?.write(Buffer.byteLength(text));
  return text;
}

/** The bytes that a result will have in the response. 0 for a value that graphql-js will report as an error. */
export function resultBytes(completer: Completer, value: unknown, maxBytes: number): number {
  try {
    return sizeOf(completer, value, maxBytes);
  } catch (error) {
    if (error instanceof FallBackToGraphQLJs || error instanceof GraphQLError) return 0;
    throw error;
  }
}

/** Counts the bytes of the text of a value, without making it. Stops far above `maxBytes`. */
function sizeOf(completer: Completer, value: unknown, maxBytes: number): number {
  const size = new ExactSize(maxBytes);
  try {
    completer.count(value, size, 1);
  } catch (error) {
    if (!(error instanceof SizeExceeded)) throw error;
  }
  return size.bytes;
}

async function writeInPieces(completer: Completer, value: unknown, slices: EventLoopSlices): Promise<string> {
  const pieces: string[] = [];
  for (const piece of completer.pieces(value)) {
    pieces.push(piece);
    while (slices.isOver()) await slices.next();
  }
  return pieces.join('');
}

function stringBytes(value: string): number {
  return /[^\x20-\x7e]|["\\]/.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
}
