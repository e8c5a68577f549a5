import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResponseSize } from '../../response-size.ts';
import type { Completer } from './value-completer.ts';
import { ExactSize, GROWTH_MAX, LeastSize, Oversize } from './json-size.ts';

/** A text of at least so many bytes is counted first and then written in pieces, so that other requests get their turns meanwhile. */
const WRITTEN_AT_ONCE_MAX_BYTES = 256 * 1024;
/** How long the pieces of all answers together keep the event loop busy before it turns. */
const SLICE_MAX_MS = 10;

/** The JSON text of a value. It is counted before it is put together; throws when it has more bytes than the answer may have. */
export function writeText(
  completer: Completer,
  value: unknown,
  responseSize: ResponseSize | undefined,
): string | Promise<string> {
  const size = new LeastSize(WRITTEN_AT_ONCE_MAX_BYTES);
  let completed: unknown;
  try {
    completed = completer.complete(value, size);
  } catch (error) {
    if (!(error instanceof Oversize)) throw error;
    responseSize?.write(sizeOf(completer, value, responseSize.maxBytes).bytes);
    return writeInPieces(completer, value);
  }
  const mayBeOver = responseSize && size.bytes * GROWTH_MAX > responseSize.leftBytes;
  if (mayBeOver) responseSize.write(sizeOf(completer, value, responseSize.maxBytes).bytes);
  const text = JSON.stringify(completed);
  if (responseSize && !mayBeOver) responseSize.write(Buffer.byteLength(text));
  return text;
}

/** The same for a single value. */
export function writeLeaf(completer: Completer, value: unknown, responseSize: ResponseSize | undefined): string {
  const text = JSON.stringify(completer.complete(value, new LeastSize(Infinity)));
  responseSize?.write(Buffer.byteLength(text));
  return text;
}

/** The bytes and the values of a text, without putting it together. Far over `maxBytes` they are at least so many. */
export function sizeOf(completer: Completer, value: unknown, maxBytes: number): { bytes: number; values: number } {
  const size = new ExactSize(maxBytes);
  try {
    completer.count(value, size, 1);
  } catch (error) {
    if (!(error instanceof Oversize)) throw error;
  }
  return size;
}

async function writeInPieces(completer: Completer, value: unknown): Promise<string> {
  const pieces: string[] = [];
  for (const piece of completer.pieces(value)) {
    pieces.push(piece);
    while (performance.now() - sliceStartedMs >= SLICE_MAX_MS) await nextSlice();
  }
  return pieces.join('');
}

let sliceStartedMs = 0;
let next: Promise<void> | null = null;

/** The same for all that wait: each of them with a slice of its own would keep the event loop busy for the sum of them. */
async function nextSlice(): Promise<void> {
  next ??= nextTurn().then(() => {
    sliceStartedMs = performance.now();
    next = null;
  });
  await next;
}
