/** Counting stops after this many values if the size exceeds the limit; below it the size is exact. */
const MAX_COUNTED_VALUES = 3_000_000;
/** Strings of at least this length are counted once, however often they occur. */
const LONG_STRING_LENGTH = 256;
/** Bytes of `null` and `true`. */
const NULL_BYTES = 4;
const FALSE_BYTES = 5;

/** Thrown when the size exceeds the limit; nothing further is completed or counted. */
export class SizeExceeded extends Error {}

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

/**
 * Counts the bytes that JSON.stringify writes. `times` is the number of aliases of a field.
 */
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

function stringBytes(value: string): number {
  return /[^\x20-\x7e]|["\\]/.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
}
