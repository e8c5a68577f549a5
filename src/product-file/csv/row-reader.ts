import type { ProductLine, Shape, VariantLine } from '../line/product-line-input.ts';
import { CellError, parseText } from './cells.ts';
import type { Codec } from './codecs.ts';
import type { Column } from './columns.ts';
import type { Layout, PriceColumn } from './layout.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import { RowMistakes, WHOLE_ROW } from './row-mistakes.ts';

/**
 * Reads cells by column. A missing column is undefined and changes nothing; an empty cell is null and clears the value. A
 * cell with a mistake is read like a missing column, so that the other cells can be read too; the mistake is kept.
 */
export type RowReader = {
  has: (...columns: Column[]) => boolean;
  /** The text as it was stored, with its white space. */
  text: (row: CsvRow, column: Column) => string | null | undefined;
  read: <Value>(row: CsvRow, column: Column, parse: (cell: string) => Value) => Value | null | undefined;
  readAt: <Value>(
    row: CsvRow,
    place: number,
    title: string,
    parse: (cell: string) => Value,
  ) => Value | null | undefined;
  /** Keeps a mistake of a cell, or of the whole row if the sheet does not have the column. */
  refuse: (row: CsvRow, column: Column | number | null, reason: string) => void;
  mistakes: RowMistakes;
  /** What is read and is probably a slip. */
  warnings: RowMistakes;
  /** The columns of the prices of a row, in the order in which the row was read. */
  prices: Map<CsvRow, ReadonlyMap<PriceColumn, number>[]>;
};

/** The colors of option values, by the names of types and values. */
export type Colors = Record<string, Record<string, string>>;

/** The members that the rows have each in a column of its own, and the colors of the product. */
export type ParsedCells = {
  product: Partial<ProductLine>;
  variants: ReadonlyMap<CsvRow, Partial<VariantLine>>;
  colors: Colors;
};

export function rowReader({ columns, titles }: Layout, mistakes = new RowMistakes()): RowReader {
  const readAt: RowReader['readAt'] = (row, place, title, parse) => {
    const cell = row.cells[place] ?? '';
    if (cell.trim() === '') return null;
    try {
      return parse(cell);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      mistakes.add(row, place, `${title} ${error.message}`);
      return undefined;
    }
  };
  const read: RowReader['read'] = (row, column, parse) => {
    const place = columns.get(column);
    return place === undefined ? undefined : readAt(row, place, titles[place]!, parse);
  };
  return {
    has: (...names) => names.some((name) => columns.has(name)),
    text: (row, column) => read(row, column, parseText),
    read,
    readAt,
    refuse: (row, column, reason) => {
      const place = typeof column === 'string' ? columns.get(column) : column;
      mistakes.add(row, place ?? WHOLE_ROW, reason);
    },
    mistakes,
    warnings: new RowMistakes(),
    prices: new Map(),
  };
}

/** The members of a line that the row has, each in a column of its own. A missing column leaves out the member. */
export function membersIn<Line>(
  row: CsvRow,
  { read }: RowReader,
  columns: readonly { column: Column; member: keyof Line & string; codec: Codec }[],
  shapes: Record<string, Shape>,
): Partial<Line> {
  const members: Record<string, unknown> = {};
  for (const { column, member, codec } of columns) {
    const value = read(row, column, (cell) => codec.parse(cell, shapes[member]!));
    // Of several columns for one member, those with an empty cell say nothing.
    if (value != null) members[member] = value;
    else if (value === null) members[member] ??= codec.empty ?? null;
  }
  return members as Partial<Line>;
}
