import type { Context } from '../../context.ts';
import { exportTimes, type FileEntry, type FileProduct, MAX_PRODUCT_BYTES } from '../import/file-product.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import { MAX_LISTED_MISTAKES, repeated, skippedBy } from '../import/skipped.ts';
import { exceededLimit } from '../line/json-limits.ts';
import { productLine, type ProductLine } from '../line/product-line-input.ts';
import { findStoredVariants, identityOf } from '../line/variant-keys.ts';

const [NEWLINE] = Buffer.from('\n');
const TOO_LONG = `has more than ${MAX_PRODUCT_BYTES} bytes`;

/** Imports products, one line of JSON each. */
export async function importJsonLines(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  return await importProducts(ctx, readLines(chunks), options);
}

/** The products of a file with one JSON object per line. Ignores empty lines, and stops within a line that is too long. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const refused = new Map<string, number>();
  const complete = (): FileEntry[] => {
    line += 1;
    const bytes = Buffer.concat(parts);
    parts = [];
    length = 0;
    return entriesOf(bytes, line, refused);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE!); end !== -1; end = chunk.indexOf(NEWLINE!, from)) {
      parts.push(chunk.subarray(from, end));
      from = end + 1;
      yield* complete();
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_PRODUCT_BYTES) {
      yield skipped(line + 1, `${TOO_LONG}; nothing is read from here on`);
      return;
    }
  }
  if (parts.length > 0) yield* complete();
}

/** `refused`: the lines that were refused for their form, by their keys. Such a line is the first of its product too. */
function entriesOf(bytes: Buffer, line: number, refused: Map<string, number>): FileEntry[] {
  if (bytes.length > MAX_PRODUCT_BYTES) return [skipped(line, TOO_LONG)];
  const json = decoded(bytes, line === 1);
  if (json === undefined) return [skipped(line, 'is not UTF-8 text')];
  if (json.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [skipped(line, 'is not JSON')];
  }
  const limit = exceededLimit(value);
  if (limit !== null) return [skipped(line, limit)];
  const { success, data, error } = productLine.safeParse(value);
  const keys = keysOf(value);
  if (success) {
    const earlier = keys.map((key) => refused.get(key)).find((line) => line !== undefined);
    if (earlier !== undefined) return [{ skipped: repeated({ line, handle: data.handle }, { line: earlier }) }];
    return [{ product: fileProduct(data, line, bytes.length) }];
  }
  const { handle } = Object(value) as { handle?: unknown };
  const mistakes = error.issues.slice(0, MAX_LISTED_MISTAKES + 1).map(({ path, message }) => ({
    line,
    reason: path.length > 0 ? `${path.join('.')}: ${message}` : message,
  }));
  for (const key of keys) if (!refused.has(key)) refused.set(key, line);
  return [{ skipped: skippedBy(typeof handle === 'string' ? handle : null, mistakes) }];
}

/** Its handle and its source id. Two lines with one of them have the same product. */
function keysOf(value: unknown): string[] {
  const { handle, sourceId } = Object(value) as { handle?: unknown; sourceId?: unknown };
  return Object.entries({ handle, sourceId }).flatMap(([name, id]) => (typeof id === 'string' ? `${name} ${id}` : []));
}

function skipped(line: number, reason: string): FileEntry {
  return { skipped: skippedBy(null, [{ line, reason }]) };
}

/** Undefined if the bytes are no UTF-8. A byte order mark at the beginning is removed. */
function decoded(bytes: Buffer, isFirst: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isFirst }).decode(bytes);
  } catch {
    return undefined;
  }
}

function fileProduct({ variants, ...line }: ProductLine, number: number, bytes: number): FileProduct {
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
