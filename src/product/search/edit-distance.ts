/**
 * The optimal string alignment distance: the number of insertions, deletions, replacements and swaps of neighbours that
 * turn one word into the other, with no letter edited twice.
 */
export function editDistance(from: string, to: string): number {
  const [source, target] = [Array.from(from), Array.from(to)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: target.length + 1 }, (_, column) => column);
  for (let row = 1; row <= source.length; row++) {
    const current = [row];
    for (let column = 1; column <= target.length; column++) {
      const isSame = source[row - 1] === target[column - 1];
      const isSwapped =
        row > 1 && column > 1 && source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[target.length]!;
}
