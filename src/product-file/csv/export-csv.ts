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
import { headerOf, readLayout } from './layout.ts';
import { productRows } from './product-rows.ts';

/** Writes the merchant's products to a file. The file appears when it is complete. */
export async function exportCsv(ctx: Context, path: string, options: ExportOptions): Promise<Exported> {
  return await writeWholeFile(path, async (open) => await writeCsv(ctx, open, options));
}

/** Writes the merchant's products to a stream, page by page, from one snapshot. The stream is opened when rows follow. */
export async function writeCsv(ctx: Context, open: () => Writable, options: ExportOptions): Promise<Exported> {
  return await exportProducts(ctx, options, async (snapshot) => {
    const header = headerOf({
      optionCount: await countOptionColumns(snapshot.ctx),
      priceListLabels: snapshot.records.priceLists.labels(),
    });
    const rows = rowsOf(snapshot, header);
    // Line breaks and outer spaces must be quoted to survive, and delimiters of other sheets so that none is taken for it.
    await pipeline(Readable.from(rows), stringify({ quoted_match: /[\r\n;\t]|^\s|\s$/ }), open());
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
