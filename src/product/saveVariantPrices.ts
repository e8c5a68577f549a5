import { sql } from 'drizzle-orm';
import { priceList } from '../../drizzle/price-list.ts';
import { productPrice } from '../../drizzle/product-price.ts';
import { variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { checkReferences } from '../db/reference.ts';
import { of } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { run, upsert } from '../db/write.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveVariantPricesArgs } from '../graphql/types.generated.ts';
import { lockProducts } from './lockProducts.ts';
import { touchProducts } from './touchProducts.ts';
import { variantPricesInput } from './variant-prices-input.ts';

export async function saveVariantPrices(ctx: Context, args: MutationSaveVariantPricesArgs): Promise<boolean> {
  const { priceListId, variantPriceInputs: rows } = parseInput(variantPricesInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const ids = priceListId === null ? [] : [{ id: priceListId, path: ['input', 'priceListId'] }];
    await checkReferences(ctx, [{ table: priceList, type: 'PriceList', ids }]);
    if (rows.length === 0) return true;
    const productIds = rows.map(({ productId }) => productId);
    await lockProducts(ctx, productIds, (index) => ['input', 'variantPriceInputs', index, 'productId']);
    await checkVariants(ctx, rows);
    const deleted = rows.filter((row) => row.deleted).map(({ variantId }) => variantId);
    await run(ctx, [
      sql`delete from ${productPrice}
        where ${of(ctx, productPrice)} and ${productPrice.variantId} = any(${idList(deleted)})
          and ${productPrice.priceListId} = any(${idList(priceListId === null ? [] : [priceListId])})`,
      ...upsert(
        ctx,
        productPrice,
        ['productId', 'variantId', 'priceListId'],
        rows.filter((row) => !row.deleted).map(({ productId, variantId, price }) => ({
          productId,
          variantId,
          priceListId,
          sellPrice: price.sellPrice,
          buyPrice: price.buyPrice ?? null,
          discountPrice: price.discountPrice ?? null,
          currency: price.currency ?? null,
        })),
      ),
      touchProducts(ctx, productIds),
    ]);
    return true;
  });
}

/** Each variant has to be one of the product named beside it. */
async function checkVariants(ctx: Context, rows: { productId: string; variantId: string }[]): Promise<void> {
  const found = await ctx.db.execute<{ id: string; productId: string }>(sql`
    select ${variant.id} as "id", ${variant.productId} as "productId" from ${variant}
    where ${of(ctx, variant)} and ${variant.id} = any(${idList(rows.map(({ variantId }) => variantId))}) and not ${variant.deleted}`);
  const productOf = new Map(found.map(({ id, productId }) => [id, productId]));
  const isStray = ({ productId, variantId }: (typeof rows)[number]) => productOf.get(variantId) !== productId;
  const stray = rows.filter(isStray).map(({ variantId }) => variantId);
  if (stray.length > 0) throw notFound('Variant', stray, ['input', 'variantPriceInputs', rows.findIndex(isStray), 'variantId']);
}
