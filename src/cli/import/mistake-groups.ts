import type { Skipped } from '../../product-file/import/skipped.ts';
import type { Row } from '../command-line/table.ts';

/** Texts of the file in a reason, which differ from row to row. */
const QUOTED = /"(?:[^"\\]|\\.)*"|\b\d+\b/g;

/** Mistakes of one kind in one column as one row, with their number and the first place, the most frequent first. */
export function groupedMistakes(skipped: readonly (Skipped & { column?: string })[]): Row[] {
  const all = skipped.flatMap(({ mistakes, ...whole }) => mistakes ?? [whole]);
  const groups = [...Map.groupBy(all, ({ column, reason }) => `${column} ${reason.replaceAll(QUOTED, '"')}`).values()];
  return groups
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const { line, row, column, reason } = group[0]!;
      return {
        count: group.length,
        column: column ?? null,
        [row === undefined ? 'first line' : 'first row']: row ?? line,
        reason,
      };
    });
}
