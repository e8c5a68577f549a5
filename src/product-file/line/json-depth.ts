/** Maximum depth of nested lists and objects. A product in a file has about ten levels. */
const MAX_DEPTH = 32;

export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/**
 * Whether JSON is nested too deeply. It is counted before the text is parsed, because values are compared and written
 * recursively.
 */
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
