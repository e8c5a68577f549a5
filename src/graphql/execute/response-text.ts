import { GraphQLError } from 'graphql';
import type { ResponseSize } from '../../limits/response-size.ts';
import type { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { ExactSize, MinimumSize, SizeExceeded } from '../plan/json-size.ts';
import { type Completer, FallBackToGraphQLJs } from '../plan/value-completer.ts';

/** A larger text is counted first and then written in pieces, so that other requests are served meanwhile. */
const MAX_BYTES_AT_ONCE = 256 * 1024;

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
  const text = JSON.stringify(completer.complete(value, new MinimumSize(Infinity)));
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
export function sizeOf(completer: Completer, value: unknown, maxBytes: number): number {
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
