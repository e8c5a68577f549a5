import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { countOptionColumns, countProducts, portableProductPages } from '../portable/portable-products.ts';
import { headerOf, type Layout, readLayout } from './columns.ts';
import { escapeFormula } from './formula.ts';
import { readStoreIds, type StoreIds } from './store-ids.ts';
import { productRows } from './product-rows.ts';

export type Exported = { products: number; rows: number };

/** Called with the number of written products and of all products. */
export type ExportProgress = (done: number, total: number) => void;

/** Writes the merchant's products to a file. The file appears when it is complete. */
export async function exportCsv(ctx: Context, path: string, onProgress: ExportProgress): Promise<Exported> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const written = await writeCsv(ctx, () => createWriteStream(unfinished), onProgress);
    await rename(unfinished, path);
    return written;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Writes the merchant's products to a stream, page by page, from one snapshot. The stream is opened when rows follow. */
export async function writeCsv(ctx: Context, open: () => Writable, onProgress: ExportProgress): Promise<Exported> {
  const written = { products: 0, rows: 0 };
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute('set transaction isolation level repeatable read read only');
    const storeIds = await readStoreIds(ctx);
    const header = headerOf({
      optionCount: await countOptionColumns(ctx),
      priceListLabels: [...storeIds.priceLists.keys()],
      locationLabels: [...storeIds.otherLocations.keys()],
    });
    const total = await countProducts(ctx);
    const rows = rowsOf(ctx, header, storeIds, written, () => onProgress(written.products, total));
    // Line breaks and outer spaces must be quoted to survive.
    await pipeline(Readable.from(rows), stringify({ quoted_match: /[\r\n]|^\s|\s$/ }), open());
  });
  return written;
}

async function* rowsOf(
  ctx: Context,
  header: string[],
  storeIds: StoreIds,
  written: Exported,
  onPage: () => void,
): AsyncGenerator<string[]> {
  const layout: Layout = readLayout(header);
  yield header;
  for await (const page of portableProductPages(ctx)) {
    for (const product of page) {
      const rows = productRows(product, layout, storeIds);
      for (const row of rows) yield row.map(escapeFormula);
      written.products += 1;
      written.rows += rows.length;
    }
    onPage();
  }
}
