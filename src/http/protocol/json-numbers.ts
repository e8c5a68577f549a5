import { isLostInFloat } from '../../decimal.ts';

/** What a body must have for a number of it to be lost in a 64-bit float: a negative exponent of two digits, or a row of zeros. */
const SMALL_EXPONENT = /e-\d{2}/i;
const ZEROS = '0'.repeat(200);
/** The begin of a text, or a number that may be lost. Without the condition before it, each digit of a long number would be tried. */
const TEXT_OR_NUMBER = /"|(?<![\d.])(?:[\d.]+e-\d+|[\d.]{200,})/gi;
/** JSON.parse reads it as Infinity, which no member of any input takes. */
const BEYOND_FLOAT = '1e999';
/** One is enough to refuse a request; a body of nothing else would take a second. */
const REPLACEMENTS_MAX = 1_000;

/**
 * JSON text in which numbers that JSON.parse would read as 0, as 1e-400, are numbers that it reads as Infinity: so
 * they are refused where they stand. Measured on 10 MB: a tenth of JSON.parse where no number has such an exponent,
 * four times JSON.parse at worst. A reviver with the source of each number takes 70 times, and fails on deep nesting.
 */
export function withoutLostNumbers(json: string): string {
  if (!SMALL_EXPONENT.test(json) && !json.includes(ZEROS)) return json;
  const pieces: string[] = [];
  let copied = 0;
  TEXT_OR_NUMBER.lastIndex = 0;
  for (
    let found = TEXT_OR_NUMBER.exec(json);
    found && pieces.length < 2 * REPLACEMENTS_MAX;
    found = TEXT_OR_NUMBER.exec(json)
  ) {
    const [token] = found;
    if (token === '"') TEXT_OR_NUMBER.lastIndex = endOfText(json, found.index) + 1;
    else if (isLostInFloat(token)) {
      pieces.push(json.slice(copied, found.index), BEYOND_FLOAT);
      copied = found.index + token.length;
    }
  }
  return pieces.join('') + json.slice(copied);
}

/** Where the closing quote is. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}
