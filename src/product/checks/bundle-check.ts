import { type SQL, sql } from 'drizzle-orm';
import { variant } from '../../../drizzle/product.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { idOf, objectsOf } from '../../db/read/stored-list.ts';
import { isId } from '../../db/sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import { type InputPath, invalidAt } from '../../errors.ts';
import { merchantLock } from '../../merchant/merchant-lock.ts';
import type { ProductWrite, VariantWrite } from '../stored/write-product-rows.ts';

const MESSAGE = 'must not make a bundle hold itself, directly or in another bundle';

/** Products (`ids`) that a request adds to the bundles of the product `productId`. `path`: the member that adds them. */
export type AddedToBundle = { productId: string; ids: string[]; path: InputPath };

/**
 * What the variants of a product add to its bundles: by their contents, or because they are restored. Deleted variants
 * hold nothing. `variants`: all that are or will be live.
 */
export function addedToBundles(
  productId: string,
  variants: ProductWrite['variants'],
  pathOf: (variantId: string) => InputPath,
): AddedToBundle[] {
  const held = new Set(variants.flatMap(({ stored }) => heldBy(stored)));
  return variants.flatMap(({ stored, row }) => {
    const ids = heldBy(row).filter((id) => !held.has(id));
    if (ids.length === 0) return [];
    const former = new Set(stored && productsOf(stored));
    const member = ids.every((id) => former.has(id)) ? ['deleted'] : ['bundleSettings', 'products'];
    return [{ productId, ids, path: [...pathOf(row.id), ...member] }];
  });
}

/** The step before the writes: two concurrent ones, each with the other's product, could make a circle. */
export function bundleLock(ctx: Tenant, added: readonly AddedToBundle[]): PipelineStep<void>[] {
  return added.length === 0 ? [] : [merchantLock(ctx)];
}

/** The step after the writes that refuses a bundle that holds itself. The products of a request can do so together. */
export function bundleCheck(ctx: Tenant, added: readonly AddedToBundle[]): PipelineStep<void>[] {
  if (added.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const refused = added.find(({ productId }) => productId === rows[0]?.['id']);
    if (refused) throw invalidAt(refused.path, MESSAGE);
  };
  return [{ statement: heldByThemselves(ctx, added), read }];
}

type BundleRow = Pick<VariantWrite['row'], 'deleted' | 'bundleSettings'>;

function heldBy(row: BundleRow | undefined): string[] {
  return !row || row.deleted ? [] : productsOf(row);
}

function productsOf({ bundleSettings }: BundleRow): string[] {
  const products = objectsOf<{ productId: string }>(bundleSettings?.products);
  return products.map(({ productId }) => productId).filter(isId);
}

/** The first of the products that is reached from what is added to it. */
function heldByThemselves(ctx: Tenant, added: readonly AddedToBundle[]): SQL {
  const pairs = added.flatMap(({ productId, ids }) => ids.map((id) => ({ productId, id })));
  return sql`
    with recursive held (bundle_id, id) as (
      select * from unnest(${idArray(pairs.map(({ productId }) => productId))}, ${idArray(pairs.map(({ id }) => id))})
      union
      select held.bundle_id, ${idOf(sql`listed.id`)} from held
      join ${variant} on ${ownedBy(ctx, variant)} and ${variant.productId} = held.id and not ${variant.deleted},
        unnest(${variant.bundleProductIds}) as listed(id)
    )
    select held.id from held where held.id = held.bundle_id limit 1`;
}
