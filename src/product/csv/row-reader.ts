import { CellError } from './cells.ts';
import { type Column, type Layout, titleOf } from './columns.ts';
import type { CsvRow } from './read-rows.ts';

/** A product that cannot be read: where, and what is wrong there. */
export class ProductError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'ProductError';
    this.line = line;
  }
}

/** Cells by column. A column that the sheet lacks is undefined and says nothing; an empty cell is null and clears. */
export type RowReader = {
  has: (...columns: Column[]) => boolean;
  /** As it stands in the file, white space around it too. */
  text: (row: CsvRow, column: Column) => string | null | undefined;
  read: <Value>(row: CsvRow, column: Column, parse: (cell: string) => Value) => Value | null | undefined;
  readAt: <Value>(row: CsvRow, place: number, title: string, parse: (cell: string) => Value) => Value | null;
};

export function rowReader({ columns }: Layout): RowReader {
  const readAt: RowReader['readAt'] = (row, place, title, parse) => {
    const cell = row.cells[place] ?? '';
    if (cell.trim() === '') return null;
    try {
      return parse(cell);
    } catch (error) {
      if (error instanceof CellError) throw new ProductError(row.line, `${title} ${error.message}`);
      throw error;
    }
  };
  const read: RowReader['read'] = (row, column, parse) => {
    const place = columns.get(column);
    return place === undefined ? undefined : readAt(row, place, titleOf(column), parse);
  };
  return {
    has: (...names) => names.some((name) => columns.has(name)),
    text: (row, column) => read(row, column, (cell) => cell),
    read,
    readAt,
  };
}
