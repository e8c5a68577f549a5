import { sql } from 'drizzle-orm';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';
import { notFound } from '../errors.ts';

/** Holds the products that `ids` name until the transaction ends; `ids` are in the order of the input, whose place `path` names. */
export async function lockProducts(ctx: Context, ids: readonly string[], path: (index: number) => (string | number)[]): Promise<void> {
  const rows = await ctx.db.execute<{ id: string }>(sql`
    select ${product.id} as "id" from ${product}
    where ${of(ctx, product)} and ${product.id} = any(${idList([...new Set(ids)])}) and not ${product.deleted}
    order by ${product.id} for update`);
  const known = new Set(rows.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  if (missing.length > 0) throw notFound('Product', missing, path(ids.indexOf(missing[0]!)));
}
