import { CommerceError } from './errors.ts';

/** An answer of more bytes needs one of the few places for large answers. */
const LARGE_FROM_BYTES = 1024 * 1024;

/**
 * Counts the bytes of one answer before they are put together. It has two counts: the bytes that statements read for it, and
 * those that are written. They differ where a field has several aliases, or where part of a stored value is selected.
 */
export class AnswerSize {
  readonly maxBytes: number;
  readonly #takePlace: (() => boolean) | null;
  #readBytes = 0;
  #writtenBytes = 0;
  #isLarge = false;
  #hasToWait = false;

  /** `takePlace` is called when the answer becomes large, and answers whether there is a place for it. Without it the answer has one. */
  constructor(maxBytes: number, takePlace: (() => boolean) | null = null) {
    this.maxBytes = maxBytes;
    this.#takePlace = takePlace;
  }

  get isLarge(): boolean {
    return this.#isLarge;
  }

  /** Bytes that a statement may send. Those of a large answer without a place are counted and not sent. */
  get sentBytesMax(): number {
    return this.#isLarge || !this.#takePlace ? this.maxBytes : LARGE_FROM_BYTES;
  }

  /** Bytes that may still be written. */
  get leftBytes(): number {
    return this.maxBytes - this.#writtenBytes;
  }

  /** Whether it ended because there was no place for a large answer. */
  get hasToWait(): boolean {
    return this.#hasToWait;
  }

  /** Bytes that a statement has for the answer, of which it has sent at most `sentBytesMax`. */
  read(bytes: number, sentBytesMax = this.maxBytes): void {
    this.#readBytes += bytes;
    if (bytes > sentBytesMax && this.#readBytes <= this.maxBytes) throw this.#wait();
    this.#check(this.#readBytes);
  }

  /** Throws where `read` would, and counts nothing: a record that is read again stands in the answer once. */
  checkRead(bytes: number): void {
    this.#check(this.#readBytes + bytes);
  }

  write(bytes: number): void {
    this.#writtenBytes += bytes;
    this.#check(this.#writtenBytes);
  }

  /** Throws where `write` would, and counts nothing. */
  checkWrite(bytes: number): void {
    this.#check(this.#writtenBytes + bytes);
  }

  #check(bytes: number): void {
    if (bytes > this.maxBytes) throw answerTooLarge(bytes, this.maxBytes);
    if (bytes <= LARGE_FROM_BYTES || this.#isLarge) return;
    this.#isLarge = this.#takePlace?.() ?? true;
    if (!this.#isLarge) throw this.#wait();
  }

  #wait(): CommerceError {
    this.#hasToWait = true;
    return new CommerceError('SERVICE_UNAVAILABLE', 'Too many large answers are being sent. Try again later.');
  }
}

function answerTooLarge(bytes: number, maxBytes: number): CommerceError {
  const limit = `the answer would have ${bytes} bytes, and at most ${maxBytes} are sent`;
  const issues = [{ path: ['pagination', 'limit'], message: `must be lower, or fewer fields selected: ${limit}` }];
  return new CommerceError(
    'ARGUMENT_VALIDATION_ERROR',
    `${limit[0]!.toUpperCase()}${limit.slice(1)}: lower pagination.limit, or select fewer fields.`,
    { issues },
  );
}
