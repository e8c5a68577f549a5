import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import {
  type Exported,
  exportProducts,
  type ExportOptions,
  type Snapshot,
  writeWholeFile,
} from '../export/export-products.ts';

/** Writes the merchant's products to a file, one line of JSON each. The file appears when it is complete. */
export async function exportJsonLines(ctx: Context, path: string, options: ExportOptions): Promise<Exported> {
  return await writeWholeFile(path, async (open) => await writeJsonLines(ctx, open, options));
}

/** Writes to a stream, page by page, from one snapshot. The stream is opened when lines follow. */
export async function writeJsonLines(ctx: Context, open: () => Writable, options: ExportOptions): Promise<Exported> {
  return await exportProducts(ctx, options, async (snapshot) => await pipeline(Readable.from(lines(snapshot)), open()));
}

async function* lines({ pages, written }: Snapshot): AsyncGenerator<string> {
  for await (const page of pages()) {
    const text = page.map((line) => `${JSON.stringify(line)}\n`).join('');
    written.rows += page.length;
    yield text;
  }
}
