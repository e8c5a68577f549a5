import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { StoredAttributeValue, StoredPrice, StoredVariantType } from '../../../drizzle/product-values.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type { Context, MerchantContext } from '../../context.ts';
import { type PipelineStep, pipeline } from '../../db/connection/pipeline.ts';
import { objectsOf } from '../../db/read/stored-list.ts';
import { idArrayText, ownedBy } from '../../db/sql/parameter.ts';
import { lockedRows, type RowCondition, type RowKeys, storedRows, type StoredRow } from '../../db/write/stored-rows.ts';
import type { InputPath } from '../../errors.ts';
import { mapInSlices, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { refuseTooLarge } from './stored-size.ts';

/** Deleted variants stay in the database. Of each product only the newest are read, however many there are. */
const MAX_DELETED_VARIANTS = 1_000;

export type ProductRow = StoredRow<typeof product>;
export type VariantRow = StoredRow<typeof variant>;

type ListMember<Row> = {
  [Member in keyof Row]-?: NonNullable<Row[Member]> extends readonly object[] ? Member : never;
}[keyof Row];

/** The lists of objects: the compiler names one that is missing here, and a member that is no list. */
const OBJECT_LISTS = Object.keys({
  salesChannels: true,
  productVariantTypes: true,
  attributes: true,
  translations: true,
  prices: true,
  images: true,
  variantValueIds: true,
} satisfies Record<ListMember<ProductRow> | ListMember<VariantRow>, true>);

/** Adds the members that code expects in the entries of a list, and that plain SQL can have left out. */
const COMPLETIONS: Partial<Record<string, (entry: never) => object>> = {
  attributes: (value: StoredAttributeValue) =>
    value.productAttributeOptionId === undefined || value.value === undefined
      ? { ...value, productAttributeOptionId: value.productAttributeOptionId ?? null, value: value.value ?? null }
      : value,
  prices: (price: StoredPrice) => (price.priceListId === undefined ? { ...price, priceListId: null } : price),
  productVariantTypes: (type: StoredVariantType) =>
    Array.isArray(type.variantValueIds) ? type : { ...type, variantValueIds: [] },
};

/**
 * A stored product with its variants: those that are not deleted, and those deleted ones that the input may mean. A
 * save keeps the members that the input leaves out.
 */
export type StoredProduct = { row: ProductRow; variants: Map<string, VariantRow> };

/** Variants that the input names by id, and whether it may also name deleted variants in other ways than by id. */
type NamedVariants = { ids: readonly (string | null | undefined)[]; mayNameOtherwise: boolean };

/** Reads the products with their variants that are not deleted. Omits unknown ids. */
export async function readStoredProducts(
  ctx: MerchantContext,
  ids: readonly string[],
): Promise<Map<string, StoredProduct>> {
  const stored = new Map<string, StoredProduct>();
  await pipeline(ctx, [
    addProducts(ctx, stored, storedRows(ctx, product, { member: 'id', ids })),
    addVariants(ctx, stored, { member: 'productId', ids, only: live }),
  ]);
  return stored;
}

/**
 * Reads the products and locks them until the end of the transaction, so that saves of one product run one by one.
 * Omits unknown ids. Refuses products that are too large to be read, with `path` as the place of the fault.
 */
export async function readProductsForUpdate(
  ctx: Context,
  ids: readonly string[],
  named: NamedVariants,
  path: InputPath,
): Promise<Map<string, StoredProduct>> {
  const stored = new Map<string, StoredProduct>();
  if (ids.length === 0) return stored;
  const variantIds = named.ids.filter((id) => id != null);
  const others = named.mayNameOtherwise ? newestDeleted(ctx, ids) : null;
  await refuseTooLarge(ctx, ids, { ids: variantIds, others }, path);
  await pipeline(ctx, [
    addProducts(ctx, stored, lockedRows(ctx, product, { member: 'id', ids })),
    addVariants(ctx, stored, { member: 'productId', ids, only: live }),
    ...(variantIds.length > 0 ? [addVariants(ctx, stored, { member: 'id', ids: variantIds, only: deleted })] : []),
    ...(others ? [addVariants(ctx, stored, { member: 'productId', ids, only: others })] : []),
  ]);
  return stored;
}

type Stored = Map<string, StoredProduct>;

function addProducts(ctx: MerchantContext, stored: Stored, rows: PipelineStep<ProductRow[]>): PipelineStep {
  return forEachRow(ctx, rows, (row) => stored.set(row.id, { row: withLists(row), variants: new Map() }));
}

/** A product inserted after the first statement can have variants without a row. */
function addVariants(ctx: MerchantContext, stored: Stored, keys: RowKeys<typeof variant>): PipelineStep {
  return forEachRow(ctx, storedRows(ctx, variant, keys), (row) =>
    stored.get(row.productId)?.variants.set(row.id, withLists(row)),
  );
}

const live: RowCondition = { name: 'live', values: [], condition: () => sql`not ${variant.deleted}` };
const deleted: RowCondition = { name: 'deleted', values: [], condition: () => sql`${variant.deleted}` };

function newestDeleted(ctx: Context, ids: readonly string[]): RowCondition {
  const list = idArrayText(ids);
  const other = alias(variant, 'other');
  return {
    name: 'newest deleted',
    values: [ctx.merchantId, list],
    condition: () => sql`${variant.id} = any(array(
      select numbered.id from (
        select ${other.id} as id, row_number() over (partition by ${other.productId} order by ${other.id} desc) as place
        from ${variant} as other
        where ${ownedBy(ctx, other)} and ${other.productId} = any(${list}::uuid[]) and ${other.deleted}
      ) as numbered
      where numbered.place <= ${sql.raw(String(MAX_DELETED_VARIANTS))}))`,
  };
}

/** The row with lists as the service writes them, whatever plain SQL has stored. */
export function withLists<Row extends object>(row: Row): Row {
  let whole = row;
  for (const member of OBJECT_LISTS) {
    const stored = (row as Record<string, unknown>)[member] ?? null;
    const list = stored === null ? null : wholeList(stored, COMPLETIONS[member]);
    if (list !== stored) whole = { ...whole, [member]: list };
  }
  return whole;
}

/** Returns the stored list itself if nothing is damaged, so that its row is not copied. */
function wholeList(stored: unknown, complete?: (entry: never) => object): object[] {
  const list = objectsOf<object>(stored);
  if (!complete) return list;
  const whole = list.map((entry) => complete(entry as never));
  return whole.every((entry, index) => entry === list[index]) ? list : whole;
}

function forEachRow<Row>(
  ctx: SlicedContext,
  { statement, read }: PipelineStep<Row[]>,
  use: (row: Row) => unknown,
): PipelineStep {
  return { statement, read: async (rows) => void (await mapInSlices(ctx, read(rows), use)) };
}
