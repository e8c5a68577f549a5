import { type SQL, sql } from 'drizzle-orm';
import { variant } from '../../../drizzle/product.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy, type Tenant } from '../../db/sql/tenant.ts';
import { argumentInvalid, type InputPath } from '../../errors.ts';
import { merchantLock } from '../../merchant/merchant-lock.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { StoredProduct } from '../stored/stored-products.ts';

const MESSAGE = 'must not hold the product itself, nor a bundle that holds it';

/**
 * The steps that refuse a bundle that would hold itself. Only products that the bundle does not hold yet are looked at,
 * under a lock: two concurrent saves, each with the other's product, could make a circle.
 */
export function bundleCheck(
  ctx: Tenant,
  { variants }: ProductInput,
  stored: StoredProduct | undefined,
  path: InputPath,
): PipelineStep<void>[] {
  // Nothing holds a product that is being created.
  if (!stored) return [];
  const held = new Set([...stored.variants.values()].flatMap(({ bundleSettings }) => heldBy(bundleSettings)));
  const added = variants.map(({ bundleSettings }) => heldBy(bundleSettings).filter((id) => !held.has(id)));
  const first = added.findIndex((ids) => ids.length > 0);
  if (first === -1) return [];
  const at = [...path, 'variants', first, 'bundleSettings', 'products'];
  const read = (rows: readonly unknown[]): void => {
    if (rows.length > 0) throw argumentInvalid([{ path: at, message: MESSAGE }]);
  };
  return [merchantLock(ctx), { statement: holders(ctx, added.flat(), stored.row.id), read }];
}

function heldBy(bundle: { products: readonly { productId: string }[] } | null | undefined): string[] {
  return (bundle?.products ?? []).map(({ productId }) => productId);
}

/** A row if the product is one of these, or is in a bundle of one of them, at any depth. */
function holders(ctx: Tenant, ids: readonly string[], productId: string): SQL {
  return sql`
    with recursive held (id) as (
      select unnest(${idArray(ids)})
      union
      select unnest(${variant.bundleProductIds})::uuid from held
      join ${variant} on ${ownedBy(ctx, variant)} and ${variant.productId} = held.id and not ${variant.deleted}
    )
    select held.id from held where held.id = ${productId} limit 1`;
}
