import { MAX_PRODUCT_BYTES } from '../import/file-product.ts';
import { type Skipped, skippedBy } from '../import/skipped.ts';
import { isTooDeep, TOO_DEEP } from '../line/json-depth.ts';
import { productLine, type ProductLine } from '../line/product-line-input.ts';

const [NEWLINE] = Buffer.from('\n');

export type LineEntry =
  | { line: number; bytes: number; product: ProductLine; skipped?: undefined }
  | { product?: undefined; skipped: Skipped };

/** The products of a file with one JSON object per line. Ignores empty lines, and stops at a line that is too long. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineEntry> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const complete = (): LineEntry[] => {
    line += 1;
    const bytes = Buffer.concat(parts);
    parts = [];
    length = 0;
    return entriesOf(bytes, line);
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
      yield skipped(line + 1, `has more than ${MAX_PRODUCT_BYTES} bytes; nothing is read from here on`);
      return;
    }
  }
  if (length > 0) yield* complete();
}

function entriesOf(bytes: Buffer, line: number): LineEntry[] {
  const json = decoded(bytes, line === 1);
  if (json === undefined) return [skipped(line, 'is not UTF-8 text')];
  if (json.trim() === '') return [];
  if (isTooDeep(json)) return [skipped(line, TOO_DEEP)];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [skipped(line, 'is not JSON')];
  }
  const { success, data, error } = productLine.safeParse(value);
  if (success) return [{ line, bytes: bytes.length, product: data }];
  const handle = (value as { handle?: unknown } | null)?.handle;
  const mistakes = error.issues.map(({ path, message }) => ({
    line,
    reason: path.length > 0 ? `${path.join('.')}: ${message}` : message,
  }));
  return [{ skipped: skippedBy(typeof handle === 'string' ? handle : null, mistakes) }];
}

function skipped(line: number, reason: string): LineEntry {
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
