/** Maximum depth of nested lists and objects. A product in a file has about ten levels. */
const MAX_DEPTH = 32;

export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/** Whether a value is nested too deeply to be compared and written, which is done recursively. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === MAX_DEPTH || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}
