import { randomInt } from 'node:crypto';
import { HttpError } from '../protocol/problem.ts';

/** Members and entries of one body. The largest requests that the schema accepts have less than half as many. */
const MAX_VALUES = 500_000;
/** Each value has at most a name and a text. More are not JSON, and the search for numbers took 2 s for 14,500,000. */
const MAX_STRINGS = 2 * MAX_VALUES + 1;
/** The digits before and after the `e` of each value, and of one that is no member or entry. */
const MAX_DIGIT_RUNS = 2 * MAX_VALUES + 2;
/** As in the longest body that is not checked. A regular expression fails on a number of 29,000,000 digits. */
const MAX_NUMBER_DIGITS = 32 * 1_024;
/**
 * Distinct member names of one body. The schema has some hundreds. Measured: JSON.parse takes 0.2 µs for a value and
 * 1.5 µs for a value with a new name, and many such bodies at once caused tens of seconds of garbage collection.
 */
const MAX_NAMES = 5_000;
/** Longer than any member name. A longer name counts as a new one wherever it stands. */
const MAX_HASHED_BYTES = 1_024;
/** The end of a longer string is searched in pieces of this length. */
const SEARCHED_BYTES = 8_192;
/** So many bytes are read one by one where a string has an escape. */
const STEPPED_BYTES = 1_024;

const [QUOTE, COMMA, COLON, OPEN_LIST, OPEN_OBJECT, BACKSLASH, SPACE, ZERO, NINE, POINT] = Buffer.from('",:[{\\ 09.');
const FNV_PRIME = 16_777_619;
/** Random per process, so that clients cannot choose names with equal hashes. */
const HASH_SEED = randomInt(2 ** 32);

/** Refuses JSON that would take long to parse, before it is parsed. Does not check the syntax. */
export function checkJsonLimits(json: Buffer): void {
  const names = new Set<number>();
  let values = 0;
  let strings = 0;
  let digits = 0;
  let digitRuns = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values++;
    digits = isDigit(byte) ? digits + 1 : 0;
    if (digits === 1) digitRuns++;
    if (digits > MAX_NUMBER_DIGITS)
      throw new HttpError(413, `The body must have no number of more than ${MAX_NUMBER_DIGITS} digits.`);
    if (byte !== QUOTE) continue;
    strings++;
    if (strings > MAX_STRINGS) throw new HttpError(413, `The body must have at most ${MAX_STRINGS} texts and names.`);
    const { end, hash } = stringAt(json, index);
    index = end;
    if (isName(json, end)) names.add(hash);
    if (names.size > MAX_NAMES)
      throw new HttpError(413, `The body must have at most ${MAX_NAMES} different member names.`);
  }
  if (digitRuns > MAX_DIGIT_RUNS) values = Math.max(values, Math.ceil(digitRuns / 2));
  if (values > MAX_VALUES)
    throw new HttpError(413, `The body must have at most ${MAX_VALUES} values and has about ${values}.`);
}

function isDigit(byte: number): boolean {
  return (byte >= ZERO! && byte <= NINE!) || byte === POINT;
}

/** The end of the string that starts at this quote, and the FNV-1a hash of a name. */
function stringAt(json: Buffer, start: number): { end: number; hash: number } {
  let hash = HASH_SEED;
  let index = start + 1;
  for (const hashedEnd = Math.min(json.length, index + MAX_HASHED_BYTES); index < hashedEnd; index++) {
    const byte = json[index]!;
    if (byte === QUOTE) return { end: index, hash };
    if (byte === BACKSLASH) index++;
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  }
  return { end: endOfString(json, index), hash: Math.imul(hash ^ start, FNV_PRIME) };
}

/**
 * The closing quote of a string after `from`, which is not within an escape. Searched by native code: byte by byte the
 * base64 text of a picture of 20 MB takes 0.1 s. A search for each of millions of escapes would take longer than that.
 */
function endOfString(json: Buffer, from: number): number {
  let index = from;
  while (index < json.length) {
    const piece = json.subarray(index, index + SEARCHED_BYTES);
    const quote = piece.indexOf(QUOTE!);
    const escape = piece.indexOf(BACKSLASH!);
    if (quote !== -1 && (escape === -1 || quote < escape)) return index + quote;
    if (escape === -1) {
      index += piece.length;
      continue;
    }
    index += escape;
    for (const end = index + STEPPED_BYTES; index < end; index++) {
      if (json[index] === QUOTE) return index;
      if (json[index] === BACKSLASH) index++;
    }
  }
  return json.length;
}

function isName(json: Buffer, end: number): boolean {
  let index = end + 1;
  while (json[index]! <= SPACE!) index++;
  return json[index] === COLON;
}
