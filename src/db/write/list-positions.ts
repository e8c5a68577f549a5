type Placed = { id: string; position: number };

/** The order of a list. Reverts and plain SQL can leave equal positions. */
export function byPosition(one: Placed, other: Placed): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}

/**
 * The positions of a list in its new order; undefined entries are new. Stored positions in that order are kept, so that a
 * list that is sent back changes nothing: reverts and plain SQL can leave gaps and equal positions.
 */
export function listPositions(rows: readonly (Placed | undefined)[]): number[] {
  const isKept = rows.every((row, index) => row && (index === 0 || byPosition(rows[index - 1]!, row) < 0));
  return rows.map((row, index) => (isKept ? row!.position : index));
}
