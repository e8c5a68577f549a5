/** Maximum depth of nested lists and objects. A product in a file has about ten levels. */
const MAX_DEPTH = 32;
/** Maximum number of members and entries. No product of an export has as many: it has at most 10 MiB. */
const MAX_VALUES = 1_000_000;

/**
 * Says which limit a value exceeds; null if none. What checks, compares and writes values calls itself for each level, so the
 * depth is limited too.
 */
export function exceededLimit(value: unknown): string | null {
  let values: unknown[] = [value];
  let count = 0;
  for (let depth = 0; values.length > 0; depth++) {
    const nested = values.filter((entry) => typeof entry === 'object' && entry !== null);
    if (depth === MAX_DEPTH && nested.length > 0) return `is nested deeper than ${MAX_DEPTH} levels`;
    values = nested.flatMap((entry) => Object.values(entry) as unknown[]);
    count += values.length;
    if (count > MAX_VALUES) return `has more than ${MAX_VALUES.toLocaleString('en')} values`;
  }
  return null;
}
