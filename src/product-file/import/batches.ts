import { type FileEntry, type FileProduct, MAX_PRODUCT_BYTES } from './file-product.ts';
import { listSkipped, type Skipped } from './skipped.ts';

/** The limits of one bulk request. */
const MAX_BATCH_PRODUCTS = 1_000;
const MAX_BATCH_BYTES = MAX_PRODUCT_BYTES;
/** Lines are limited too, because a product may have very many. */
const MAX_BATCH_LINES = 10_000;

/** The products of the file in batches, of which the last one may be empty. Collects what is skipped. */
export async function* batches(entries: AsyncIterable<FileEntry>, skipped: Skipped[]): AsyncGenerator<FileProduct[]> {
  let batch: FileProduct[] = [];
  let lines = 0;
  let bytes = 0;
  for await (const entry of entries) {
    if (entry.skipped) {
      listSkipped(skipped, entry.skipped);
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
