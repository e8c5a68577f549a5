import { type SQL, sql } from 'drizzle-orm';
import { priceList } from '../../drizzle/price-list.ts';
import { productPrice } from '../../drizzle/product-price.ts';
import { variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idList, isAmong } from '../db/parameter.ts';
import { referenceCheck } from '../db/reference.ts';
import { of, type Tenant } from '../db/tenant.ts';
import { type Step, step, together } from '../db/together.ts';
import { inTransaction } from '../db/transaction.ts';
import { upsert } from '../db/write.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveVariantPricesArgs } from '../graphql/types.generated.ts';
import { productLock } from './lockProducts.ts';
import { touchProducts } from './touchProducts.ts';
import { type VariantPriceRow as Row, variantPricesInput } from './variant-prices-input.ts';

export async function saveVariantPrices(ctx: Context, args: MutationSaveVariantPricesArgs): Promise<boolean> {
  const { priceListId, variantPriceInputs: rows } = parseInput(variantPricesInput, args.input);
  const lists = priceListId === null ? [] : [{ id: priceListId, path: ['input', 'priceListId'] }];
  const listCheck = referenceCheck(ctx, [{ table: priceList, type: 'PriceList', ids: lists }]);
  const productIds = rows.map(({ productId }) => productId);
  const writes = rows.length === 0 ? [] : [
    productLock(ctx, productIds, (index) => ['input', 'variantPriceInputs', index, 'productId']),
    variantCheck(ctx, rows),
    ...removal(ctx, priceListId, rows.filter(({ deleted }) => deleted)).map(step),
    ...setting(ctx, priceListId, rows.filter(({ deleted }) => !deleted)).map(step),
    step(touchProducts(ctx, productIds)),
  ];
  await inTransaction(ctx, async (ctx) => await together(ctx, [...listCheck, ...writes]));
  return true;
}

/** Each variant has to be one of the product named beside it. */
function variantCheck(ctx: Tenant, rows: Row[]): Step<void> {
  const statement = sql`
    select ${variant.id} as "id", ${variant.productId} as "productId" from ${variant}
    where ${of(ctx, variant)} and ${variant.id} = any(${idList(rows.map(({ variantId }) => variantId))}) and not ${variant.deleted}`;
  const read = (found: readonly Record<string, unknown>[]): void => {
    const productOf = new Map(found.map(({ id, productId }) => [id, productId]));
    const isStray = ({ productId, variantId }: Row) => productOf.get(variantId) !== productId;
    const stray = rows.filter(isStray).map(({ variantId }) => variantId);
    if (stray.length > 0) throw notFound('Variant', stray, ['input', 'variantPriceInputs', rows.findIndex(isStray), 'variantId']);
  };
  return { statement, read };
}

function removal(ctx: Tenant, priceListId: string | null, rows: Row[]): SQL[] {
  if (priceListId === null || rows.length === 0) return [];
  return [sql`
    delete from ${productPrice}
    where ${of(ctx, productPrice)} and ${productPrice.productId} = any(${idList(rows.map(({ productId }) => productId))})
      and ${productPrice.variantId} = any(${idList(rows.map(({ variantId }) => variantId))}) and ${isAmong(productPrice.priceListId, [priceListId])}`];
}

function setting(ctx: Context, priceListId: string | null, rows: Row[]): SQL[] {
  const prices = rows.map(({ productId, variantId, price }) => ({
    productId,
    variantId,
    priceListId,
    sellPrice: price.sellPrice,
    buyPrice: price.buyPrice ?? null,
    discountPrice: price.discountPrice ?? null,
    currency: price.currency ?? null,
  }));
  return upsert(ctx, productPrice, ['productId', 'variantId', 'priceListId'], prices);
}
