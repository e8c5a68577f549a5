import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { bulkUpdateProducts } from '../../src/product/bulkUpdateProducts.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';

/** The ways in which a product is written. */
export const WAYS = ['GraphQL', 'bulk', 'plain SQL'] as const;
type Way = (typeof WAYS)[number];

const prices = [{ sellPrice: 1 }];

/** Creates a product named Product and returns its id. */
export async function createProduct(ctx: Context, way: Way, salesChannelIds: string[] = []): Promise<string> {
  if (way === 'plain SQL') {
    const id = newId();
    await ctx.db.execute(sql`
      insert into product (merchant_id, id, name, type, sales_channel_ids)
      values (${ctx.merchantId}, ${id}, 'Product', 'PHYSICAL', ${`{${salesChannelIds.join(',')}}`}::uuid[])`);
    return id;
  }
  const common = { name: 'Product', type: 'PHYSICAL' as const, salesChannelIds };
  if (way === 'GraphQL')
    return (await saveProduct(ctx, { input: { ...common, variants: [{ isActive: true, prices }] } }, { id: {} })).id;
  const sourceId = newId();
  await bulk(ctx, { ...common, sourceId });
  const [row] = await ctx.db.execute<{ id: string }>(
    sql`select id from product where merchant_id = ${ctx.merchantId} and source_id = ${sourceId}`,
  );
  return row!.id;
}

/** Saves a product with this name, also if it is the present one. */
export async function updateProduct(ctx: Context, way: Way, id: string, name: string): Promise<void> {
  if (way === 'plain SQL') {
    await ctx.db.execute(sql`update product set name = ${name} where merchant_id = ${ctx.merchantId} and id = ${id}`);
  } else if (way === 'bulk') {
    await bulk(ctx, { id, name, type: 'PHYSICAL' });
  } else {
    const variants = await ctx.db.execute<{ id: string }>(
      sql`select id from variant where merchant_id = ${ctx.merchantId} and product_id = ${id}`,
    );
    const input = {
      id,
      name,
      type: 'PHYSICAL' as const,
      variants: variants.map(({ id }) => ({ id, isActive: true, prices })),
    };
    await saveProduct(ctx, { input }, { id: {} });
  }
}

async function bulk(ctx: Context, entry: object): Promise<void> {
  const whole = { categories: [], productVariantTypes: [], variants: [{ isActive: true, prices }], ...entry };
  await bulkUpdateProducts(ctx, { input: [whole as never] });
}
