import { randomInt } from 'node:crypto';
import { HttpError } from '../protocol/problem.ts';

/** Values of one body: members and entries. The largest requests that the schema accepts have less than half as many. */
const VALUES_MAX = 500_000;
/**
 * Different member names of one body. The schema has some hundreds. Measured: a value takes the parser 0.2 µs, one with a
 * name of its own 1.5 µs, and tens of seconds of garbage collection follow where many such bodies come together.
 */
const NAMES_MAX = 5_000;

const [QUOTE, COMMA, COLON, OPEN_LIST, OPEN_OBJECT, BACKSLASH, SPACE] = Buffer.from('",:[{\\ ');
const FNV_PRIME = 16_777_619;
/** Differs with each process, so that nobody can choose names with equal hashes. */
const HASH_SEED = randomInt(2 ** 32);

/** Refuses JSON that takes long to parse before it is parsed. Whether it is JSON at all is for the parser to say. */
export function checkValues(json: Buffer): void {
  const names = new Set<number>();
  let values = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values++;
    if (byte !== QUOTE) continue;
    const { end, hash } = textAt(json, index);
    index = end;
    if (isName(json, end)) names.add(hash);
    if (names.size > NAMES_MAX)
      throw new HttpError(413, `The body must have at most ${NAMES_MAX} different member names.`);
  }
  if (values > VALUES_MAX)
    throw new HttpError(413, `The body must have at most ${VALUES_MAX} values and has about ${values}.`);
}

/** Where the text ends that begins with a quote here, and its FNV-1a hash. */
function textAt(json: Buffer, start: number): { end: number; hash: number } {
  let hash = HASH_SEED;
  for (let index = start + 1; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === QUOTE) return { end: index, hash };
    if (byte === BACKSLASH) index++;
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  }
  return { end: json.length, hash };
}

function isName(json: Buffer, end: number): boolean {
  let index = end + 1;
  while (json[index]! <= SPACE!) index++;
  return json[index] === COLON;
}
