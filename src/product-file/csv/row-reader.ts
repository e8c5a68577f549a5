import { ProductError } from '../import/import-input.ts';
import { CellError, parseText } from './cells.ts';
import { type Column, type Layout, titleOf } from './columns.ts';
import type { CsvRow } from './read-csv-rows.ts';

/**
 * Reads cells by column. A missing column is undefined and changes nothing; an empty cell is null and clears the value.
 */
export type RowReader = {
  has: (...columns: Column[]) => boolean;
  /** The text as it was stored, with its white space. */
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
    text: (row, column) => read(row, column, parseText),
    read,
    readAt,
  };
}
