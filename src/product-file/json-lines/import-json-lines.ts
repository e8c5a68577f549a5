import type { Context } from '../../context.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import { readLines } from './read-lines.ts';

/** Imports products, one line of JSON each. */
export async function importJsonLines(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  return await importProducts(ctx, readLines(chunks), options);
}
