import { sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import type { RecordType } from '../../db/write/record-types.ts';
import { insertIfAbsent } from '../../db/write/write.ts';
import { CommerceError } from '../../errors.ts';
import type { ProductRow, StoredProduct } from '../stored/stored-products.ts';
import type { BulkProductInput } from './bulk-products-input.ts';

/** The types to which a bulk request refers by names only. */
const NAMED: readonly RecordType[] = ['ProductBrand', 'Category', 'ProductTag', 'ProductVariantType', 'VariantValue'];

/** Another transaction has changed what this one looked up before it locked the records. */
class ChangedByOthersError extends Error {}

/**
 * Checks that the locked products still have the `sourceId`s by which they were found. Throws ChangedByOthersError
 * otherwise: the entry is not for a product that has got another `sourceId`, or is gone.
 */
export function refuseRenamed(
  products: readonly BulkProductInput[],
  ids: readonly (string | undefined)[],
  stored: ReadonlyMap<string, StoredProduct>,
): void {
  for (const [index, { id, sourceId }] of products.entries()) {
    const found = id === undefined ? ids[index] : undefined;
    if (found !== undefined && stored.get(found)?.row.sourceId !== sourceId)
      throw new ChangedByOthersError('A product no longer has the source id.');
  }
}

/**
 * Runs `write`. If it refuses a record that the request names, the record has been deleted since it was found: throws
 * ChangedByOthersError, as the client has not sent its id and could not correct it.
 */
export async function refuseDeletedNames(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const isNamed = error instanceof CommerceError && NAMED.some((type) => type === error.extensions['type']);
    throw isNamed ? new ChangedByOthersError('A record that was found has been deleted.', { cause: error }) : error;
  }
}

/**
 * The step that inserts new products. If another transaction is inserting the same `sourceId`, the step waits for its
 * end and, if that product is committed, throws ChangedByOthersError. Sorted, so that concurrent requests cannot
 * deadlock.
 */
export function insertNewProducts(ctx: MerchantContext, rows: ProductRow[]): PipelineStep<void>[] {
  const sorted = rows.toSorted((a, b) => ((a.sourceId ?? '') < (b.sourceId ?? '') ? -1 : 1));
  const steps = insertIfAbsent(ctx, product, { key: ['sourceId'], among: sql`source_id is not null` }, sorted);
  return steps.map(({ statement, read }) => ({
    statement,
    read: (inserted) => {
      if (read(inserted).length < rows.length) throw new ChangedByOthersError('A source id is no longer free.');
    },
  }));
}

/** Attempts before the error is returned to the client. Its cause may be another than that a record was deleted meanwhile. */
const MAX_REFUSALS = 5;

/**
 * Runs `save`, a transaction that looks up products, calls `refuseRenamed`, `refuseDeletedNames` and `insertNewProducts`.
 * If others have created or renamed some of the products meanwhile, or deleted records that it found by name, it is
 * rolled back and runs again, and then finds what they have committed. Only a new transaction can lock products in the
 * usual order, before the records that they name, without which two requests could deadlock. The next lookup sees each
 * committed change, so `save` is repeated only for changes of which it did not know.
 */
export async function retryIfChangedByOthers<T>(save: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ;) {
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof ChangedByOthersError)) throw error;
      if (error.cause && ++refusals === MAX_REFUSALS) throw error.cause;
    }
  }
}
