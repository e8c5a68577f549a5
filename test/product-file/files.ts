import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/context.ts';
import { exportCsv } from '../../src/product-file/csv/export-csv.ts';
import { importCsv } from '../../src/product-file/csv/import-csv.ts';
import type { ProductDifference } from '../../src/product-file/import/differences.ts';
import type { Exported } from '../../src/product-file/export/export-products.ts';
import type { Imported, ImportOptions } from '../../src/product-file/import/import-run.ts';
import { exportJsonLines } from '../../src/product-file/json-lines/export-json-lines.ts';
import { importJsonLines } from '../../src/product-file/json-lines/import-json-lines.ts';

export const FORMATS = {
  csv: { write: exportCsv, read: importCsv },
  jsonl: { write: exportJsonLines, read: importJsonLines },
};
export type Format = keyof typeof FORMATS;

export async function exportFile(ctx: Context, format: Format): Promise<Exported & { text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-file-'));
  const path = join(folder, `products.${format}`);
  try {
    const options = { publicUrl: 'https://shop.example', onProgress: () => {} };
    const exported = await FORMATS[format].write(ctx, path, options);
    return { ...exported, text: await readFile(path, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function importFile(
  ctx: Context,
  format: Format,
  text: string | Buffer,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += 4_096)
      yield await Promise.resolve(bytes.subarray(from, from + 4_096));
  }
  return await FORMATS[format].read(ctx, chunks(), { retryImages: false, onBatch: () => {}, ...options });
}

/** A dry run: returns what an import would change. */
export async function tryFile(ctx: Context, format: Format, text: string, options: Partial<ImportOptions> = {}) {
  const differences: ProductDifference[] = [];
  const onDifferences = (found: ProductDifference[]) => void differences.push(...found);
  return { ...(await importFile(ctx, format, text, { ...options, onDifferences })), differences };
}
