/** A product in a file has about ten levels. */
const MAX_DEPTH = 32;

export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/** Counted before the text is parsed: comparing and writing values is recursive. */
export function isTooDeep(json: string): boolean {
  let [depth, isText] = [0, false];
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '\\') index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
