import { type FileEntry, type FileProduct, MAX_PRODUCT_BYTES, type Skipped } from './file-product.ts';

/** The limits of one bulk request. */
const MAX_BATCH_PRODUCTS = 1_000;
const MAX_BATCH_BYTES = MAX_PRODUCT_BYTES;
/** Lines are limited too, because a product may have very many. */
const MAX_BATCH_LINES = 10_000;

/** Bounds the memory for a file that is no product file: each of its lines may be one that cannot be read. */
const MAX_LISTED_UNREADABLE = 100_000;

/** The products of the file in batches, of which the last one may be empty. Collects what is skipped. */
export async function* batches(entries: AsyncIterable<FileEntry>, skipped: Skipped[]): AsyncGenerator<FileProduct[]> {
  let batch: FileProduct[] = [];
  let lines = 0;
  let bytes = 0;
  let unreadable = 0;
  for await (const entry of entries) {
    if (entry.skipped) {
      if (unreadable <= MAX_LISTED_UNREADABLE) skipped.push(listed(entry.skipped, unreadable));
      unreadable += 1;
      continue;
    }
    const { product } = entry;
    if (batch.length === MAX_BATCH_PRODUCTS || lines >= MAX_BATCH_LINES || bytes + product.bytes > MAX_BATCH_BYTES) {
      yield batch;
      [batch, lines, bytes] = [[], 0, 0];
    }
    batch.push(product);
    lines += product.lineCount;
    bytes += product.bytes;
  }
  yield batch;
}

/** The entry, or after the last one that is listed a word on those that are not. */
function listed(skipped: Skipped, index: number): Skipped {
  if (index < MAX_LISTED_UNREADABLE) return skipped;
  const reason = `${skipped.reason}; further lines that cannot be read are skipped too, and not listed`;
  return { ...skipped, reason };
}
