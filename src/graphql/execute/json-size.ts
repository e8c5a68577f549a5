/** Values are looked at for the exact size as long as they are fewer, or as long as the size is not over the limit. */
const COUNTED_VALUES_MAX = 3_000_000;
/** Texts from this length on are counted once, however many aliases they have. */
const LONG_TEXT_LENGTH = 256;
/** A control character is written as `\u0001`, a number has at most so many digits: no value takes more times its least size. */
export const GROWTH_MAX = 24;
/** `null` and `true`. */
const NULL_BYTES = 4;
const FALSE_BYTES = 5;

/** Thrown where the size is known to be over the limit, and nothing further is completed or counted. */
export class Oversize extends Error {}

/** Counts at least so many bytes of JSON text as values will have, which costs next to nothing. Throws when they are over the limit. */
export class LeastSize {
  readonly #maxBytes: number;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) throw new Oversize();
  }

  leaf(value: unknown): void {
    this.add(typeof value === 'string' ? value.length + 2 : 1);
  }
}

/** Counts the bytes that JSON.stringify writes, and the values. `times` stands for aliases of one field. */
export class ExactSize {
  readonly #maxBytes: number;
  readonly #longTexts = new Map<string, number>();
  #counted = 0;
  bytes = 0;
  values = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: number, times: number): void {
    this.bytes += bytes * times;
    this.values += times;
    this.#counted += 1;
    if (this.#counted > COUNTED_VALUES_MAX && this.bytes > this.#maxBytes) throw new Oversize();
  }

  leaf(value: unknown, times: number): void {
    this.add(this.#leafBytes(value), times);
  }

  #leafBytes(value: unknown): number {
    if (typeof value === 'string')
      return value.length < LONG_TEXT_LENGTH ? textBytes(value) : this.#longTextBytes(value);
    if (typeof value === 'number') return String(value).length;
    return value === false ? FALSE_BYTES : NULL_BYTES;
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
