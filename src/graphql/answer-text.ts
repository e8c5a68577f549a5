import type { AnswerSize } from '../answer-size.ts';
import type { Complete } from './complete.ts';
import { ExactSize, LeastSize, Oversize } from './text-size.ts';

/** The JSON text of a value. It is counted before it is put together; throws when it has more bytes than the answer may have. */
export function writeText(complete: Complete, value: unknown, answer: AnswerSize | undefined): string {
  const size = new LeastSize(answer?.leftBytes ?? Infinity);
  const completed = completeUnder(size, complete, value);
  if (answer && size.mayBeOver) answer.write(Math.max(size.bytes, exactBytes(complete, value)));
  const text = JSON.stringify(completed);
  if (answer && !size.mayBeOver) answer.write(Buffer.byteLength(text));
  return text;
}

/** The bytes of the text, without putting it together. */
export function exactBytes(complete: Complete, value: unknown): number {
  const size = new ExactSize();
  completeUnder(size, complete, value);
  return size.bytes;
}

function completeUnder(size: LeastSize | ExactSize, complete: Complete, value: unknown): unknown {
  try {
    return complete(value, size);
  } catch (error) {
    if (error instanceof Oversize) return undefined;
    throw error;
  }
}
