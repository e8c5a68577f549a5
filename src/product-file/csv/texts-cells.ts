import type { TextsOfProduct } from '../line/written-texts.ts';
import {
  categoryTextsSchema,
  colorsSchema,
  type SentCategoryTexts,
  type SentColors,
  type SentTexts,
  textsSchema,
} from '../import/sent-extras-input.ts';
import type { Column } from './columns.ts';
import { parseValue, printValue } from './extras-cells.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { RowReader } from './row-reader.ts';

/** The cells of the texts that stand with a product. */
export function textsCells({ brand, categoryTexts, colors }: TextsOfProduct): Partial<Record<Column, string>> {
  return { brandTexts: printValue(brand), categoryTexts: printValue(categoryTexts), colors: printValue(colors) };
}

export function brandTextsIn(row: CsvRow, { read }: RowReader): SentTexts {
  return (read(row, 'brandTexts', (cell) => parseValue(cell, textsSchema)) ?? {}) as SentTexts;
}

export function categoryTextsIn(row: CsvRow, { read }: RowReader): SentCategoryTexts | undefined {
  const found = read(row, 'categoryTexts', (cell) => parseValue(cell, categoryTextsSchema));
  return (found ?? undefined) as SentCategoryTexts | undefined;
}

export function colorsIn(row: CsvRow, { read }: RowReader): SentColors {
  return (read(row, 'colors', (cell) => parseValue(cell, colorsSchema)) ?? {}) as SentColors;
}
