import { isAscii } from 'node:buffer';

/** Bytes that Windows-1252 does not assign. `TextDecoder` would make control characters of them. */
const UNASSIGNED = /[\u0081\u008d\u008f\u0090\u009d]/;
/** Enough for a byte order mark, and for the longest character of UTF-8. */
const MIN_SNIFFED_BYTES = 4;

/** The bytes are not text of the encoding. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/**
 * Decodes a text in chunks. Unless an encoding is given, it is recognized by a byte order mark or by the zero bytes of
 * UTF-16. Otherwise it is UTF-8, or Windows-1252 if the first bytes beyond ASCII are not UTF-8.
 */
export class TextReader {
  #decoder: TextDecoder | undefined;
  /** Whether the text is read as Windows-1252, because it is not UTF-8. */
  isGuessed = false;
  #held: Uint8Array = new Uint8Array();
  /** True until a text was returned, so that the held bytes are the beginning of the file. */
  #isAtStart = true;
  /** True until the decoder has been used, so that it holds no part of a character. */
  #isUnused = true;
  /** Thrown by the next read. */
  #damage: EncodingError | undefined;

  /** `encoding`: a label of the WHATWG Encoding Standard, such as `windows-1254`. */
  constructor(encoding?: string) {
    if (encoding !== undefined) this.#decoder = decoderOf(encoding);
  }

  read(chunk: Uint8Array, isLast: boolean): string {
    if (this.#decoder) return this.#decode(this.#decoder, chunk, isLast);
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = new Uint8Array();
    const marked = this.#isAtStart && bytes.length >= MIN_SNIFFED_BYTES ? markedEncoding(bytes) : undefined;
    if (marked) return this.#begin(marked, bytes, isLast);
    const ascii = asciiLength(bytes);
    const isUndecided = bytes.length - ascii < MIN_SNIFFED_BYTES || bytes.length < MIN_SNIFFED_BYTES;
    if (isUndecided && !isLast) {
      // The first bytes are held as a whole: they may be a byte order mark or UTF-16.
      const decided = bytes.length < MIN_SNIFFED_BYTES ? 0 : ascii;
      this.#held = bytes.subarray(decided);
      this.#isAtStart &&= decided === 0;
      return Buffer.from(bytes.subarray(0, decided)).toString('latin1');
    }
    return this.#begin(isUtf8(bytes.subarray(ascii), isLast) ? 'utf-8' : 'windows-1252', bytes, isLast);
  }

  #begin(encoding: string, bytes: Uint8Array, isLast: boolean): string {
    this.isGuessed = encoding === 'windows-1252';
    this.#decoder = decoderOf(encoding);
    return this.#decode(this.#decoder, bytes, isLast);
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array, isLast: boolean): string {
    if (this.#damage) throw this.#damage;
    const isUnused = this.#isUnused;
    this.#isUnused = false;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: !isLast });
    } catch {
      this.#damage = new EncodingError(`it is not ${decoder.encoding.toUpperCase()} text`);
      // The text before the damage is returned first, so that its rows are read and the line of the damage is known.
      if (isUnused && !isLast) return undamagedPart(bytes, decoder.encoding);
      throw this.#damage;
    }
    if (this.isGuessed && UNASSIGNED.test(text))
      throw new EncodingError('it is not UTF-8 text, and not UTF-16 or Windows-1252');
    return text;
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new EncodingError(`the encoding ${JSON.stringify(encoding)} is unknown`);
  }
}

/** The encoding that a byte order mark names, or UTF-16 without one: its ASCII characters have a zero byte. */
function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : undefined;
}

function asciiLength(bytes: Uint8Array): number {
  // A file of ASCII is never decided, so each chunk is counted: byte by byte, that took 6 % of the CPU time of reading.
  if (isAscii(bytes)) return bytes.length;
  return bytes.findIndex((byte) => byte > 0x7f);
}

/**
 * True if all characters are right in UTF-8, or if more of those beyond ASCII are right than wrong: a damaged file is not
 * read as another encoding. In texts of Windows-1252, bytes beyond ASCII are hardly ever a character of UTF-8.
 */
function isUtf8(bytes: Uint8Array, isLast: boolean): boolean {
  if (isUndamaged(bytes, isLast)) return true;
  const text = new TextDecoder('utf-8').decode(bytes, { stream: !isLast });
  let [right, wrong] = [0, 0];
  for (const character of text) {
    if (character === '\ufffd') wrong += 1;
    else if (character > '\u007f') right += 1;
  }
  return right >= wrong;
}

/** A text may contain the character that stands for damage. */
function isUndamaged(bytes: Uint8Array, isLast: boolean, encoding = 'utf-8'): boolean {
  try {
    decoderOf(encoding).decode(bytes, { stream: !isLast });
    return true;
  } catch {
    return false;
  }
}

/** The text before the first damage. */
function undamagedPart(bytes: Uint8Array, encoding: string): string {
  let [undamaged, damaged] = [0, bytes.length];
  while (damaged - undamaged > 1) {
    const middle = (undamaged + damaged) >> 1;
    if (isUndamaged(bytes.subarray(0, middle), false, encoding)) undamaged = middle;
    else damaged = middle;
  }
  return decoderOf(encoding).decode(bytes.subarray(0, undamaged), { stream: true });
}
