import { isDeepStrictEqual } from 'node:util';

/** A list of value objects as it is stored: an empty one as null, one that was not sent as undefined. */
export function storedList<Sent, Stored>(
  sent: readonly Sent[] | null | undefined,
  store: (entry: Sent) => Stored,
): Stored[] | null | undefined {
  if (sent === undefined) return undefined;
  return sent && sent.length > 0 ? sent.map(store) : null;
}

/** Whether the members of a row are stored so. */
export function matchesStored<Row extends object>(row: Partial<Row>, stored: Row): boolean {
  return (Object.keys(row) as (keyof Row)[]).every(
    (member) => row[member] === stored[member] || isDeepStrictEqual(row[member], stored[member]),
  );
}
