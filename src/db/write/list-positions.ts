type Placed = { id: string; position: number };

/** A row of a list. One that is new has no position yet. */
type Entry = { id: string; position: number | undefined; deleted: boolean };

/** The largest value of the type `integer` of PostgreSQL. */
const MAX_POSITION = 2_147_483_647;

/** The order of a list. Reverts and plain SQL can leave equal positions. */
export function byPosition(one: Placed, other: Placed): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}

/** The rows of a list in its new order, with their positions. A deleted row keeps its stored position. */
export function withPositions<Row extends Entry>(rows: readonly Row[]): (Row & Placed)[] {
  const positions = listPositions(rows.filter(({ deleted }) => !deleted)).values();
  return rows.map((row) => ({ ...row, position: row.deleted ? row.position! : positions.next().value! }));
}

/**
 * A row keeps its stored position if it comes after the row in front of it, else it gets the next one. So a row that is
 * removed, added or moved to the end changes no other row, and a list that is sent back changes nothing.
 */
function listPositions(rows: readonly Entry[]): number[] {
  let last: Placed | undefined;
  const positions = rows.map(({ id, position }) => {
    const isKept = position !== undefined && (!last || byPosition(last, { id, position }) < 0);
    last = { id, position: isKept ? position : (last?.position ?? -1) + 1 };
    return last.position;
  });
  return positions.every((position) => position <= MAX_POSITION) ? positions : rows.map((_, index) => index);
}
