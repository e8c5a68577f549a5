import type { Context } from '../../context.ts';
import { exportTimes, type FileEntry, type FileProduct } from '../import/file-product.ts';
import type { Skipped } from '../import/skipped.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import { findStoredVariants, identityOf } from '../line/variant-keys.ts';
import { type LineEntry, readLines } from './read-lines.ts';

type ReadLine = Exclude<LineEntry, { skipped: Skipped }>;

/** Imports products, one line of JSON each. */
export async function importJsonLines(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  return await importProducts(ctx, fileEntries(chunks), options);
}

async function* fileEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
  for await (const entry of readLines(chunks))
    yield entry.skipped ? { skipped: entry.skipped } : { product: fileProduct(entry) };
}

function fileProduct({ product, line: number, bytes }: ReadLine): FileProduct {
  const { variants, ...line } = product;
  return {
    line: number,
    lineCount: Math.max(1, variants.length),
    bytes,
    handle: line.handle,
    sourceId: line.sourceId ?? null,
    isSlugFirst: true,
    exportedAt: exportTimes(line),
    wanted: {
      locations: variants.flatMap(({ stocks }) => (stocks ?? []).map(({ stockLocation }) => stockLocation)),
      existingLocations: [],
      attributes: [line, ...variants].flatMap(({ attributes }) => attributes ?? []),
    },
    read: (known) => {
      const identities = variants.map(identityOf);
      const stored = findStoredVariants(identities, known?.variants ?? []);
      return {
        line,
        variants: variants.map((variant, index) => ({
          line: { ...variant, sourceId: identities[index]!.key },
          known: stored[index],
        })),
      };
    },
    mistakes: () => [],
    warnings: () => [],
    locate: () => ({ line: number, title: null }),
  };
}
