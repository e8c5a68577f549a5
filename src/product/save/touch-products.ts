import { type SQL, sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy, type Tenant } from '../../db/sql/tenant.ts';

/** Updates `updatedAt` and `version` of products after a change of their parts: clients filter and lock by these. */
export function touchProducts(ctx: Tenant, ids: readonly string[]): SQL {
  return sql`
    update ${product} set updated_at = now(), version = ${product.version} + 1
    where ${ownedBy(ctx, product)} and ${product.id} = any(${idArray([...new Set(ids)])})`;
}
