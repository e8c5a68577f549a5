import { stringify } from 'csv-stringify/sync';
import type { Context } from '../../context.ts';
import {
  type Exported,
  type ExportOptions,
  exportProducts,
  type ExportTarget,
  type Snapshot,
} from '../export/export-products.ts';
import { countOptionColumns } from '../stored/portable-products.ts';
import { type Column, COLUMN_TITLES, keyPlaces, READ_ONLY, titleOf } from './columns.ts';
import { type Layout, LIST_PRICES, readLayout } from './layout.ts';
import { productRows } from './product-rows.ts';
import { escapeCell } from './text/escape.ts';

/** Option columns of every file. Products with more variant types add more. */
const MIN_OPTIONS = 3;
const DECIMAL = /^-?\d+\.\d+$/;
const KEPT_COLUMNS: readonly Column[] = ['handle', 'title', 'sourceId'];

/**
 * `excel`: with a byte order mark, by which Excel recognizes UTF-8, only with columns that have values, and with an
 * apostrophe before texts that Excel would replace. `semicolons`: between cells, and commas in numbers, for languages in which
 * Excel reads a CSV so.
 */
export type CsvExportOptions = ExportOptions & { excel?: boolean; semicolons?: boolean };

/** Writes the merchant's products as a sheet. */
export async function exportCsv(ctx: Context, target: ExportTarget, options: CsvExportOptions): Promise<Exported> {
  const { excel = false, semicolons = false } = options;
  return await exportProducts(ctx, target, options, async (snapshot) => {
    const priceListLabels = snapshot.records.priceLists.labels();
    const whole = headerOf({ optionCount: await countOptionColumns(snapshot.ctx), priceListLabels });
    const header = excel ? await usedColumns(snapshot, whole) : whole;
    const layout = readLayout(header);
    const locations = snapshot.records.locations.labels();
    const texts = excel ? textPlaces(layout) : new Set<number>();
    const keys = keyPlaces(layout.columns);
    /** Most cells are empty. csv-stringify compares empty texts with `quoted_match`, but not null. */
    const written = (cell: string, place: number): string | null => {
      if (cell === '') return null;
      if (semicolons && layout.values.has(place)) return withComma(cell);
      return escapeCell(cell, { keepsText: texts.has(place), isKey: keys.has(place) });
    };
    const delimiter = semicolons ? ';' : ',';
    return {
      head: textOf([header], { bom: excel, delimiter }),
      print: (line) => {
        const rows = productRows(line, layout, locations);
        return {
          text: textOf(
            rows.map((row) => row.map(written)),
            { delimiter },
          ),
          rows: rows.length,
        };
      },
    };
  });
}

type Header = { optionCount: number; priceListLabels: readonly string[] };

/** The header of an export. */
function headerOf({ optionCount, priceListLabels }: Header): string[] {
  const written = COLUMN_TITLES.flatMap(([column, [title]]) => (READ_ONLY.includes(column) ? [] : [title]));
  const behind = written.indexOf(titleOf('published')) + 1;
  const options = Array.from({ length: Math.max(MIN_OPTIONS, optionCount) }, (_, index) => [
    `Option${index + 1} Name`,
    `Option${index + 1} Value`,
  ]);
  return [
    ...written.slice(0, behind),
    ...options.flat(),
    ...written.slice(behind, -1),
    ...priceListLabels.flatMap((label) => Object.values(LIST_PRICES).map((prefix) => prefix + label)),
    // It has a value in each row: Excel leaves out empty cells at the end of rows, and an import refuses shorter rows.
    ...written.slice(-1),
  ];
}

function textOf(rows: (string | null)[][], options: { bom?: boolean; delimiter: string }): string {
  // Line breaks and outer spaces must be quoted to survive, and delimiters of other sheets so that none is taken for it.
  return stringify(rows, { quoted_match: /[\r\n,;\t]|^\s|\s$/, ...options });
}

/** A decimal comma. A number with three decimals gets another 0: an import refuses `1,234`, which could be 1234. */
function withComma(cell: string): string {
  if (!DECIMAL.test(cell)) return cell;
  return cell.replace('.', ',').replace(/,\d{3}$/, '$&0');
}

/** The products are read twice: the first row names the columns, so it cannot wait for the last product. */
async function usedColumns({ pages, records }: Snapshot, header: string[]): Promise<string[]> {
  const layout = readLayout(header);
  const locations = records.locations.labels();
  const used = new Set(keptPlaces(layout));
  for await (const page of pages())
    for (const line of page)
      for (const row of productRows(line, layout, locations))
        for (const [place, cell] of row.entries()) if (cell !== '') used.add(place);
  // An option is read only if it has both columns.
  for (const { name, value } of layout.options) if (used.has(name) || used.has(value)) used.add(name).add(value);
  return header.filter((_, place) => used.has(place));
}

/**
 * A product is found by its handle. By the source id an import knows the sheets of this service, in which handles are
 * slugs and a row without a price is a product without variants.
 */
function keptPlaces({ columns }: Layout): number[] {
  return KEPT_COLUMNS.flatMap((column) => columns.get(column) ?? []);
}

/** Spreadsheet programs may change numbers, true and false, which imports read in any form. */
function textPlaces({ titles, values }: Layout): ReadonlySet<number> {
  return new Set([...titles.keys()].filter((place) => !values.has(place)));
}
