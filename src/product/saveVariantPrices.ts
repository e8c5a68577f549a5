import { type SQL, sql } from 'drizzle-orm';
import { product, variant } from '../../drizzle/product.ts';
import type { StoredPrice } from '../../drizzle/product-values.ts';
import type { Context } from '../context.ts';
import { idArray } from '../db/sql/parameter.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import { changeMarks, touch } from '../db/write/touch.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { ownedBy, type Tenant } from '../db/sql/tenant.ts';
import { type PipelineStep, pipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveVariantPricesArgs } from '../graphql/generated/types.ts';
import { lockProducts } from './stored/product-lock.ts';
import { storablePrices } from './merge/storable-prices.ts';
import { mergePrices, withoutPrice } from './merge/variant-prices.ts';
import { type VariantPriceRow as Row, variantPricesInput } from './input/variant-prices-input.ts';

type PricedVariant = { id: string; productId: string; prices: StoredPrice[] | null };

export async function saveVariantPrices(ctx: Context, args: MutationSaveVariantPricesArgs): Promise<boolean> {
  const { priceListId: sentListId, variantPriceInputs: rows } = parseInput(variantPricesInput, args.input);
  const priceListId = sentListId ?? null;
  const listCheck = priceListCheck(ctx, priceListId, rows);
  await inTransaction(ctx, async (ctx) => {
    if (rows.length === 0) return await pipeline(ctx, listCheck);
    const productIds = rows.map(({ productId }) => productId);
    const lock = lockProducts(ctx, productIds, (index) => ['input', 'variantPriceInputs', index, 'productId']);
    const stored = await pipeline(ctx, [...listCheck, lock, storedVariants(ctx, rows)]);
    const sent = rows.map(({ price }) => ({ ...price, priceListId }));
    const saved = await storablePrices(ctx, sent);
    const changed = rows.flatMap(({ variantId, deleted }, index) => {
      const variant = stored.get(variantId)!;
      const prices = deleted
        ? withoutPrice(variant.prices ?? [], priceListId!)
        : mergePrices(variant.prices ?? [], saved([sent[index]!], variant.prices));
      return isUnchanged({ prices }, variant) ? [] : [{ ...variant, prices }];
    });
    if (changed.length === 0) return;
    const changedIds = changed.map(({ productId }) => productId);
    await pipeline(ctx, [pipelineStep(writePrices(ctx, changed)), ...touch(ctx, product, changedIds)]);
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

/** Reads the variants; each must belong to the product in its row. The locks of their products protect them. */
function storedVariants(ctx: Tenant, rows: Row[]): PipelineStep<Map<string, PricedVariant>> {
  const variantIds = idArray(rows.map(({ variantId }) => variantId));
  const statement = sql`
    select ${variant.id} as "id", ${variant.productId} as "productId", ${variant.prices} as "prices" from ${variant}
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

function writePrices(ctx: Tenant, changed: { id: string; prices: StoredPrice[] }[]): SQL {
  return sql`
    update ${variant} set prices = changed.prices, ${changeMarks(variant)}
    from json_to_recordset(${JSON.stringify(changed)}::json) as changed (id uuid, prices json)
    where ${ownedBy(ctx, variant)} and ${variant.id} = changed.id`;
}
