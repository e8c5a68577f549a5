import { CommerceError } from '../errors.ts';

/** A response of more bytes needs one of the few slots for large responses. */
export const LARGE_FROM_BYTES = 1024 * 1024;

/**
 * Limits the bytes of one response. Counts separately what statements read and what is written: the two differ where a
 * field has several aliases, and where a part of a stored value is selected.
 */
export class ResponseSize {
  readonly maxBytes: number;
  readonly #acquireSlot: (() => boolean) | null;
  #readBytes = 0;
  #writtenBytes = 0;
  #heldBytes = 0;
  #isLarge = false;
  #lacksSlot = false;

  /**
   * `acquireSlot` is called once, when the response becomes large; false means that no slot is free. Without it, the
   * response has a slot already.
   */
  constructor(maxBytes: number, acquireSlot: (() => boolean) | null = null) {
    this.maxBytes = maxBytes;
    this.#acquireSlot = acquireSlot;
  }

  get isLarge(): boolean {
    return this.#isLarge;
  }

  /** Bytes that a statement may send. A statement whose records are larger returns their size only. */
  get maxSentBytes(): number {
    return this.#isLarge || !this.#acquireSlot ? this.maxBytes : LARGE_FROM_BYTES;
  }

  /** Whether the request failed because no slot for a large response was free. */
  get lacksSlot(): boolean {
    return this.#lacksSlot;
  }

  /** Counts the bytes that a statement found, of which it has sent at most `maxSentBytes`. */
  read(bytes: number, maxSentBytes = this.maxBytes): void {
    this.#readBytes += bytes;
    if (bytes > maxSentBytes && this.#readBytes <= this.maxBytes) throw this.#refusal();
    this.#check(this.#readBytes);
  }

  /** Throws where `read` would, without counting: a record that is read twice is in the response once. */
  checkRead(bytes: number): void {
    this.#check(this.#readBytes + bytes);
  }

  /**
   * Counts bytes that a field keeps in memory beside the response, and returns those of all fields. Many of them need a
   * slot, so call it before they are read.
   */
  hold(bytes: number): number {
    this.#heldBytes += bytes;
    this.#needSlot(this.#heldBytes);
    return this.#heldBytes;
  }

  write(bytes: number): void {
    this.#writtenBytes += bytes;
    this.#check(this.#writtenBytes);
  }

  /** Throws where `write` would, without counting. */
  checkWrite(bytes: number): void {
    this.#check(this.#writtenBytes + bytes);
  }

  #check(bytes: number): void {
    if (bytes > this.maxBytes) throw responseTooLarge(bytes, this.maxBytes);
    this.#needSlot(bytes);
  }

  #needSlot(bytes: number): void {
    if (bytes <= LARGE_FROM_BYTES || this.#isLarge) return;
    this.#isLarge = this.#acquireSlot?.() ?? true;
    if (!this.#isLarge) throw this.#refusal();
  }

  #refusal(): CommerceError {
    this.#lacksSlot = true;
    return new CommerceError('SERVICE_UNAVAILABLE', 'Too many large answers are being sent. Try again later.');
  }
}

function responseTooLarge(bytes: number, maxBytes: number): CommerceError {
  const limit = `the answer would have ${bytes} bytes, and at most ${maxBytes} are sent`;
  const issues = [{ path: ['pagination', 'limit'], message: `must be lower, or fewer fields selected: ${limit}` }];
  return new CommerceError(
    'ARGUMENT_VALIDATION_ERROR',
    `${limit[0]!.toUpperCase()}${limit.slice(1)}: lower pagination.limit, or select fewer fields.`,
    { issues },
  );
}
