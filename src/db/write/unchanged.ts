/**
 * Whether a write of these members would change nothing that a reader sees. In a value object a member that is null
 * and one that is missing are read alike, so a record can be sent back as it was read.
 */
export function isUnchanged<Row extends object>(row: Partial<Row>, stored: Row): boolean {
  return (Object.keys(row) as (keyof Row)[]).every((member) => isSame(row[member], stored[member]));
}

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((entry, i) => isSame(entry, b[i]));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((member) =>
    isSame((a as Record<string, unknown>)[member], (b as Record<string, unknown>)[member]),
  );
}
