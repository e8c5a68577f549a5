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
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map(({ name }) => name);
}

/**
 * The number of characters to insert, remove, replace or exchange with their neighbour (optimal string alignment);
 * Infinity if there are more than `most`. Stops as soon as that is certain, which for most names is after a few
 * letters.
 */
function editDistance(one: string, other: string, most: number): number {
  const width = other.length + 1;
  let [before, last, current] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let column = 0; column < width; column++) last[column] = column;
  for (let row = 1; row <= one.length; row++) {
    current[0] = row;
    let least = row;
    const letter = one.charCodeAt(row - 1);
    for (let column = 1; column < width; column++) {
      const otherLetter = other.charCodeAt(column - 1);
      let edits = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + Number(letter !== otherLetter),
      );
      if (row > 1 && column > 1 && letter === other.charCodeAt(column - 2) && one.charCodeAt(row - 2) === otherLetter)
        edits = Math.min(edits, before[column - 2]! + 1);
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return Infinity;
    [before, last, current] = [last, current, before];
  }
  return last[other.length]!;
}
