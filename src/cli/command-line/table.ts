import { printJson } from './output.ts';
import { terminalColumns, wrapText } from './wrap-text.ts';

/** A longer cell is cut: rows stay readable, and `--json` has the whole value. */
const MAX_CELL_LENGTH = 100;
const GAP = '  ';
/** A cell is not wrapped to fewer columns, because its text would be hard to read. */
const MIN_WRAPPED_COLUMNS = 30;
/** Ends the names of members that are times in milliseconds. */
const TIME_NAME = /(At|Until|Date)$/;

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export type OutputOptions = { json?: true | undefined };

/**
 * Prints a list: as a table on a terminal, otherwise or with `--json` as one line of JSON. `toRow` chooses the cells.
 */
export function printList<T>(list: readonly T[], toRow: (entry: T) => Row, options: OutputOptions): void {
  if (isJson(options)) printJson(list);
  else process.stdout.write(tableText(list.map(toRow)));
}

/** Prints a list like `printList`, but as records if the table would not fit the terminal. For short lists. */
export function printWideList<T>(list: readonly T[], toRow: (entry: T) => Row, options: OutputOptions): void {
  if (isJson(options)) printJson(list);
  else process.stdout.write(listText(list.map(toRow), terminalColumns()));
}

/** Prints a record: a line for each member on a terminal, with whole values, otherwise or with `--json` as JSON. */
export function printRecord(record: object, options: OutputOptions): void {
  if (isJson(options)) printJson(record);
  else process.stdout.write(recordText(record));
}

export function isJson({ json }: OutputOptions): boolean {
  return json === true || !process.stdout.isTTY;
}

/** A table, or a record for each row if the table is wider than the terminal or would cut a cell. */
export function listText(rows: readonly Row[], columns: number): string {
  const isCut = rows.some((row) =>
    Object.values(row).some((cell) => cell !== null && String(cell).length > MAX_CELL_LENGTH),
  );
  const table = isCut ? '' : tableText(rows);
  if (!isCut && table.split('\n').every((line) => line.length <= columns)) return table;
  return rows.map((row) => rowText(row, columns)).join('\n');
}

/**
 * A table whose last column is wrapped to the width that the others leave. If that is too narrow, each row is printed as a
 * list of its members.
 */
export function wrappedTableText(rows: readonly Row[], columns: number): string {
  const names = Object.keys(rows[0] ?? {});
  const last = names.at(-1);
  if (last === undefined) return 'none\n';
  const before = rows.map((row) => Object.fromEntries(names.slice(0, -1).map((name) => [name, row[name] ?? null])));
  const [header, ...lines] = tableText(before, { isPadded: true }).slice(0, -1).split('\n');
  const width = header!.length + GAP.length;
  if (columns - width < MIN_WRAPPED_COLUMNS) return listText(rows, columns);
  const wrapped = lines.flatMap((line, index) =>
    wrapText(`${line}${GAP}${oneLine(String(rows[index]![last] ?? '-'))}`, columns, ' '.repeat(width)),
  );
  return `${[`${header}${GAP}${last}`, ...wrapped].join('\n')}\n`;
}

/** A line for each cell with its name before it. Longer lines are continued below. */
function rowText(row: Row, columns: number): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  const indent = ' '.repeat(width + GAP.length);
  const lines = Object.entries(row).flatMap(([name, cell]) =>
    wrapText(`${name.padEnd(width)}${GAP}${oneLine(String(cell ?? '-'))}`, columns, indent),
  );
  return `${lines.join('\n')}\n`;
}

/** Columns are as wide as their widest cell. A padded table has lines of the same length. */
export function tableText(rows: readonly Row[], { isPadded = false } = {}): string {
  if (rows.length === 0) return 'none\n';
  const names = Object.keys(rows[0]!);
  const lines = [names, ...rows.map((row) => names.map((name) => cellText(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = (cells: string[]) => {
    const line = cells.map((cell, column) => cell.padEnd(widths[column]!)).join(GAP);
    return isPadded ? line : line.trimEnd();
  };
  return `${lines.map(text).join('\n')}\n`;
}

/** A list is a line for each entry below its name. */
function recordText(record: object): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  const lines = Object.entries(record).map(([name, value]) => `${name.padEnd(width)}${GAP}${valueText(name, value)}`);
  return `${lines.join('\n')}\n`;
}

export function timeCell(ms: number | null | undefined): string | null {
  return typeof ms === 'number' ? new Date(ms).toISOString() : null;
}

/** The text of a cell: on one line, and cut at MAX_CELL_LENGTH. */
export function cellText(value: Cell): string {
  const text = oneLine(value === null ? '-' : String(value));
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  if (typeof value === 'number' && TIME_NAME.test(name)) return timeCell(value)!;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return oneLine(value.join(', '));
  if (Array.isArray(value)) return value.map((entry) => `\n${GAP}${oneLine(JSON.stringify(entry))}`).join('');
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Stored text may hold control characters, which a terminal would obey. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD');
}
