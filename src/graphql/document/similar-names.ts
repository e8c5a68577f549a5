/** Longer names are of nothing in the schema. */
const MAX_NAME_LENGTH = 60;
const MAX_SIMILAR = 5;

/**
 * The names that may be meant by a misspelt one, the most similar first: case does not matter, and at most two in five
 * characters and one more may be wrong. As graphql-js suggests them, but with bounded work.
 */
export function similarNames(misspelt: string, names: readonly string[]): string[] {
  if (misspelt.length > MAX_NAME_LENGTH) return [];
  const most = Math.floor(misspelt.length * 0.4) + 1;
  const lower = misspelt.toLowerCase();
  return names
    .filter((name) => Math.abs(name.length - misspelt.length) <= most)
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map(({ name }) => name);
}

/** The number of characters to insert, remove, replace or exchange with their neighbour (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isExchanged ? before[column - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return last[other.length]!;
}
