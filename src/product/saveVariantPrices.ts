import { type SQL, sql } from 'drizzle-orm';
import type { StoredPrice } from '../../drizzle/product-values.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { type PipelineStep, pipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { listElements } from '../db/read/stored-list.ts';
import { idArray, ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { referenceCheck } from '../db/write/record-types.ts';
import { changeMarks, touch } from '../db/write/touch.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveVariantPricesArgs } from '../graphql/generated/types.ts';
import { type VariantPriceRow as Row, variantPricesInput } from './input/variant-prices-input.ts';
import { storedPrice } from './merge/merge-variant.ts';
import { storablePrices } from './merge/storable-prices.ts';
import { lockProducts } from './stored/product-lock.ts';

/** A variant and its row of the request's price list. */
type PricedVariant = { id: string; productId: string; price: StoredPrice | null };

export async function saveVariantPrices(ctx: Context, args: MutationSaveVariantPricesArgs): Promise<boolean> {
  const { priceListId: sentListId, variantPriceInputs: rows } = parseInput(variantPricesInput, args.input);
  const priceListId = sentListId ?? null;
  const listCheck = priceListCheck(ctx, priceListId, rows);
  await inTransaction(ctx, async (ctx) => {
    if (rows.length === 0) return await pipeline(ctx, listCheck);
    const productIds = rows.map(({ productId }) => productId);
    const lock = lockProducts(ctx, productIds, (index) => ['input', 'variantPriceInputs', index, 'productId']);
    const stored = await pipeline(ctx, [...listCheck, lock, storedVariants(ctx, rows, priceListId)]);
    const sent = rows.map(({ price }) => ({ ...price, priceListId }));
    const saved = await storablePrices(ctx, sent);
    const changed = rows.flatMap(({ variantId, deleted }, index) => {
      const variant = stored.get(variantId)!;
      const [row] = saved([sent[index]!], variant.price && [variant.price]);
      if (!row) return [];
      const price = deleted ? null : storedPrice(row);
      return isUnchanged({ price }, variant) ? [] : [{ id: variant.id, productId: variant.productId, price }];
    });
    if (changed.length === 0) return;
    const changedIds = changed.map(({ productId }) => productId);
    await pipeline(ctx, [pipelineStep(writePrices(ctx, changed, priceListId)), ...touch(ctx, product, changedIds)]);
  });
  return true;
}

/** Prices of a deleted price list can be removed, and not be set. */
function priceListCheck(ctx: Tenant, id: string | null, rows: Row[]): PipelineStep<void>[] {
  if (id === null) return [];
  const removesOnly = rows.length > 0 && rows.every(({ deleted }) => deleted);
  const ids = [{ id, path: ['input', 'priceListId'], mayBeDeleted: removesOnly }];
  return referenceCheck(ctx, [{ type: 'PriceList', ids }]);
}

/**
 * Reads the variants; each must belong to the product in its row. The locks of their products protect them. Rows of other
 * price lists are neither read nor sent back: 3,000 variants can have 400 MB.
 */
function storedVariants(
  ctx: Tenant,
  rows: Row[],
  priceListId: string | null,
): PipelineStep<Map<string, PricedVariant>> {
  const variantIds = idArray(rows.map(({ variantId }) => variantId));
  const statement = sql`
    select ${variant.id} as "id", ${variant.productId} as "productId", (
      select price from ${listElements(variant.prices)} as listed(price) where ${isOfList(priceListId)} limit 1
    ) as "price"
    from ${variant}
    where ${ownedBy(ctx, variant)} and ${variant.id} = any(${variantIds}) and not ${variant.deleted}`;
  const read = (found: readonly Record<string, unknown>[]): Map<string, PricedVariant> => {
    const stored = new Map((found as PricedVariant[]).map((row) => [row.id, row]));
    const isMismatched = ({ productId, variantId }: Row) => stored.get(variantId)?.productId !== productId;
    const mismatched = rows.filter(isMismatched).map(({ variantId }) => variantId);
    if (mismatched.length > 0)
      throw notFound('Variant', mismatched, ['input', 'variantPriceInputs', rows.findIndex(isMismatched), 'variantId']);
    return stored;
  };
  return { statement, read };
}

/** Replaces, adds or removes (`price` is null) the row of the price list. The rows are in the order of `byPriceList`. */
function writePrices(
  ctx: Tenant,
  changed: { id: string; price: StoredPrice | null }[],
  priceListId: string | null,
): SQL {
  const prices = sql`
    select price from ${listElements(variant.prices)} as listed(price)
    where json_typeof(price) = 'object' and not ${isOfList(priceListId)}
    union all
    select changed.price where changed.price is not null`;
  return sql`
    update ${variant} set prices = (
      select ('[' || string_agg(price::text, ',' order by coalesce(price ->> 'priceListId', '') collate "C") || ']')::json
      from (${prices}) as merged
    ), ${changeMarks(variant)}
    from json_to_recordset(${JSON.stringify(changed)}::json) as changed (id uuid, price json)
    where ${ownedBy(ctx, variant)} and ${variant.id} = changed.id`;
}

/** SQL condition on a stored row. Plain SQL can have stored something else in its place. */
function isOfList(priceListId: string | null): SQL {
  return sql`(json_typeof(price) = 'object' and price ->> 'priceListId' is not distinct from ${priceListId}::text)`;
}
