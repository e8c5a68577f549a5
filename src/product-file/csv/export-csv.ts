import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Context } from '../../context.ts';
import {
  type Exported,
  exportProducts,
  type ExportOptions,
  type Snapshot,
  writeWholeFile,
} from '../export/export-products.ts';
import { countOptionColumns } from '../stored/portable-products.ts';
import { escapeFormula } from './cells.ts';
import type { Column } from './columns.ts';
import { headerOf, type Layout, readLayout } from './layout.ts';
import { productRows } from './product-rows.ts';

const KEPT_COLUMNS: readonly Column[] = ['handle', 'title', 'sourceId'];

/** `excel`: with a byte order mark, by which Excel recognizes UTF-8, and only with columns that have values. */
export type CsvExportOptions = ExportOptions & { excel?: boolean };

/** Writes the merchant's products to a file. The file appears when it is complete. */
export async function exportCsv(ctx: Context, path: string, options: CsvExportOptions): Promise<Exported> {
  return await writeWholeFile(path, async (open) => await writeCsv(ctx, open, options));
}

/** Writes the merchant's products to a stream, page by page, from one snapshot. The stream is opened when rows follow. */
export async function writeCsv(ctx: Context, open: () => Writable, options: CsvExportOptions): Promise<Exported> {
  const { excel = false } = options;
  return await exportProducts(ctx, options, async (snapshot) => {
    const whole = headerOf({
      optionCount: await countOptionColumns(snapshot.ctx),
      priceListLabels: snapshot.records.priceLists.labels(),
    });
    const header = excel ? await usedColumns(snapshot, whole) : whole;
    const rows = rowsOf(snapshot, header);
    // Line breaks and outer spaces must be quoted to survive, and delimiters of other sheets so that none is taken for it.
    const text = stringify({ quoted_match: /[\r\n;\t]|^\s|\s$/, bom: excel });
    await pipeline(Readable.from(rows), text, open());
  });
}

async function* rowsOf({ pages, written, records }: Snapshot, header: string[]): AsyncGenerator<string[]> {
  const layout = readLayout(header);
  const locations = records.locations.labels();
  yield header;
  for await (const page of pages()) {
    for (const line of page) {
      const rows = productRows(line, layout, locations);
      for (const row of rows) yield row.map(escapeFormula);
      written.rows += rows.length;
    }
  }
}

/** The products are read twice: the first row names the columns, so it cannot wait for the last product. */
async function usedColumns({ preview, records }: Snapshot, header: string[]): Promise<string[]> {
  const layout = readLayout(header);
  const locations = records.locations.labels();
  const used = new Set(keptPlaces(layout));
  for await (const page of preview())
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
