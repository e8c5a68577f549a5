/** Maximum depth of nested lists and objects. A product in a file has about ten levels. */
const MAX_DEPTH = 32;

export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/**
 * Whether JSON is nested too deeply. It is counted before the text is parsed, because values are compared and written
 * recursively.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') index = endOfText(json, index);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The position of the quote that closes a text, which has an even number of backslashes before it. */
function endOfText(json: string, start: number): number {
  let end = start;
  let isEscaped = true;
  while (isEscaped) {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
    let before = end - 1;
    while (json[before] === '\\') before -= 1;
    isEscaped = (end - before) % 2 === 0;
  }
  return end;
}
