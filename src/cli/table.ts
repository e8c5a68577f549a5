import { printJson } from './output.ts';

/** A longer cell is cut: rows stay readable, and `--json` has the whole value. */
const MAX_CELL_LENGTH = 100;
const GAP = '  ';

export type Row = Readonly<Record<string, string | number | null>>;

export const JSON_OPTION = ['--json', 'print JSON also on a terminal'] as const;

/**
 * Prints a list: as a table on a terminal, otherwise or with `--json` as one line of JSON. `toRow` chooses the cells.
 */
export function printList<T>(
  list: readonly T[],
  toRow: (entry: T) => Row,
  { json }: { json?: true | undefined },
): void {
  if (json || !process.stdout.isTTY) printJson(list);
  else process.stdout.write(tableText(list.map(toRow)));
}

/** Columns are as wide as their widest cell. */
export function tableText(rows: readonly Row[]): string {
  if (rows.length === 0) return 'none\n';
  const names = Object.keys(rows[0]!);
  const lines = [names, ...rows.map((row) => names.map((name) => cellText(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(GAP)
      .trimEnd();
  return `${lines.map(text).join('\n')}\n`;
}

export function timeCell(ms: number | null | undefined): string | null {
  return typeof ms === 'number' ? new Date(ms).toISOString() : null;
}

function cellText(value: string | number | null): string {
  const text = value === null ? '-' : String(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}
