/** Values that are counted exactly at most; what is counted by then is told as the size. */
const COUNTED_VALUES_MAX = 3_000_000;
/** Texts from this length on are counted once, however many aliases they have. */
const LONG_TEXT_LENGTH = 256;
/** A control character is written as `\u0001`, a number has at most so many digits: no value takes more times its least size. */
const GROWTH_MAX = 24;

/** Thrown where the size is known to be over the limit, and the value is not completed further. */
export class Oversize extends Error {}

/** Counts the JSON text of values while they are completed. */
export interface TextSize {
  /** Whether the completed values are wanted, and not their size alone. */
  readonly keepsValues: boolean;
  add(bytes: number): void;
  text(value: string): void;
  number(value: number): void;
}

/** At least so many bytes, which costs next to nothing. Ends the completion when they are over the limit. */
export class LeastSize implements TextSize {
  readonly keepsValues = true;
  readonly #maxBytes: number;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the text may be longer than the limit: then it has to be counted exactly. */
  get mayBeOver(): boolean {
    return this.bytes * GROWTH_MAX > this.#maxBytes;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) throw new Oversize();
  }

  text(value: string): void {
    this.add(value.length + 2);
  }

  number(): void {
    this.add(1);
  }
}

/** The bytes that JSON.stringify writes. */
export class ExactSize implements TextSize {
  readonly keepsValues = false;
  readonly #longTexts = new Map<string, number>();
  #values = 0;
  bytes = 0;

  add(bytes: number): void {
    this.bytes += bytes;
    this.#values += 1;
    if (this.#values > COUNTED_VALUES_MAX) throw new Oversize();
  }

  text(value: string): void {
    this.add(value.length < LONG_TEXT_LENGTH ? textBytes(value) : this.#longTextBytes(value));
  }

  number(value: number): void {
    this.add(String(value).length);
  }

  #longTextBytes(value: string): number {
    const known = this.#longTexts.get(value);
    if (known !== undefined) return known;
    const bytes = textBytes(value);
    this.#longTexts.set(value, bytes);
    return bytes;
  }
}

function textBytes(value: string): number {
  return /[^\x20-\x7e]|["\\]/.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
}
