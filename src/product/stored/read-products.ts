import { sql } from 'drizzle-orm';
import { product, variant } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline, type PipelineStep } from '../../db/connection/pipeline.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { lockRecords } from '../../db/write/saved-record.ts';
import type { StoredProduct } from './stored-products.ts';

/** A product that was read before the transaction that changes it. */
export type ReadProduct = {
  stored: StoredProduct;
  rowVersions: string;
  /** Whether a change that was committed since is not overwritten: the request is refused then. */
  isRequired: boolean;
};

/**
 * Locks the products until the end of the transaction. Returns those that are still as they were read, so that they are
 * not read again.
 */
export async function lockReadProducts(
  ctx: MerchantContext,
  ids: readonly string[],
  read: ReadonlyMap<string, ReadProduct>,
): Promise<Map<string, StoredProduct>> {
  if (read.size === 0) return new Map();
  // A statement of its own: one that waits for a lock sees other rows as they were before.
  const versions = await pipeline(ctx, [lockRecords(ctx, product, ids), rowVersions(ctx, [...read.keys()])]);
  return new Map(
    [...read].flatMap(([id, { stored, rowVersions }]) => (versions.get(id) === rowVersions ? [[id, stored]] : [])),
  );
}

/**
 * The step that reads which versions of their rows the products and their variants have, deleted ones left out. Plain
 * SQL changes them too, but not the column `version`.
 */
export function rowVersions(ctx: MerchantContext, ids: readonly string[]): PipelineStep<Map<string, string>> {
  const statement = sql`
    select ${product.id} as "id", ${product}.xmin || ' ' || coalesce((
      select string_agg(${variant}.xmin::text, ' ' order by ${variant.id}) from ${variant}
      where ${ownedBy(ctx, variant)} and ${variant.productId} = ${product.id} and not ${variant.deleted}
    ), '') as "versions"
    from ${product} where ${ownedBy(ctx, product)} and ${product.id} = any(${idArray(ids)})`;
  return { statement, read: (rows) => new Map(rows.map(({ id, versions }) => [id as string, versions as string])) };
}
