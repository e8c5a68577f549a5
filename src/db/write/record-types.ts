import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { type InputPath, notFound } from '../../errors.ts';
import type { PipelineStep } from '../connection/pipeline.ts';
import type { RecordTable } from '../read/projection.ts';
import { isAnyOf, ownedBy, type Tenant } from '../sql/parameter.ts';

type DeletableTable = RecordTable & { deleted: AnyPgColumn };
/**
 * `whole`: the column with the record that a part belongs to, such as the variant type of a value. `wholeTable`: the table of
 * these records, if a part counts as deleted when its record is deleted.
 */
type TypeTable = { table: DeletableTable; whole?: AnyPgColumn; wholeTable?: DeletableTable };

/**
 * The tables of the types that references name with `@reference(to:)`. If several references of an input are wrong, the
 * first of these types is reported.
 */
export const recordTypes = {
  ProductBrand: { table: productBrand },
  Category: { table: category },
  ProductTag: { table: productTag },
  PriceList: { table: priceList },
  SalesChannel: { table: salesChannel },
  ProductVariantType: { table: variantType },
  VariantValue: { table: variantValue, whole: variantValue.variantTypeId, wholeTable: variantType },
  ProductAttribute: { table: productAttribute },
  ProductAttributeOption: {
    table: productAttributeOption,
    whole: productAttributeOption.attributeId,
    wholeTable: productAttribute,
  },
  Product: { table: product },
  Variant: { table: variant, whole: variant.productId },
  StockLocation: { table: stockLocation },
  ProductStockLocation: { table: productStockLocation },
} satisfies Record<string, TypeTable>;

export type RecordType = keyof typeof recordTypes;

export function recordTableOf(type: RecordType): TypeTable {
  return recordTypes[type];
}

/** Whether a row of the type counts as deleted. */
export function isDeleted(tenant: Tenant, type: RecordType): SQL {
  const { table, whole, wholeTable } = recordTableOf(type);
  if (!wholeTable) return sql`${table.deleted}`;
  return sql`(${table.deleted} or exists (
    select from ${wholeTable} where ${ownedBy(tenant, wholeTable)} and ${wholeTable.id} = ${whole} and ${wholeTable.deleted}))`;
}

/**
 * An id in an input. `whole`: the id of the record that it must belong to, if that was sent. `mayBeDeleted`: whether the
 * id of a deleted record is accepted, such as one that is stored already.
 */
export type SentId = { id: string; path: InputPath; whole?: unknown; mayBeDeleted?: boolean };

/** Ids in an input that refer to records of one type. */
export type References = {
  type: RecordType;
  ids: readonly SentId[];
};

/**
 * The step that refuses ids of unknown or deleted records, or of parts of other records, with NOT_FOUND and the path of
 * the first. Returns no step if nothing is referred to.
 */
export function referenceCheck(ctx: Tenant, references: References[]): PipelineStep<void>[] {
  const asked = references.filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const found = Map.groupBy(rows as Found[], ({ index }) => index);
    for (const [index, references] of asked.entries()) refuseMissing(references, found.get(index) ?? []);
    for (const [index, references] of asked.entries()) refuseForeign(references, found.get(index) ?? []);
  };
  return [{ statement: lookUp(ctx, asked), read }];
}

function lookUp(ctx: Tenant, asked: References[]): SQL {
  const parts = asked.map(({ type, ids }, index) => {
    const { table, whole = sql`null::uuid` } = recordTableOf(type);
    return sql`
      select ${sql.raw(String(index))} as "index", ${table.id} as "id", ${isDeleted(ctx, type)} as "deleted", ${whole} as "whole"
      from ${table} where ${ownedBy(ctx, table)} and ${isAnyOf(table.id, [...new Set(ids.map(({ id }) => id))])}`;
  });
  return sql.join(parts, sql` union all `);
}

type Found = { index: number; id: string; deleted: boolean; whole: string | null };

function refuseMissing({ ids, type }: References, found: readonly Found[]): void {
  const areDeleted = new Map(found.map(({ id, deleted }) => [id, deleted]));
  const missing = ids.filter(({ id, mayBeDeleted }) => !areDeleted.has(id) || (areDeleted.get(id) && !mayBeDeleted));
  if (missing.length > 0) throw notFound(type, [...new Set(missing.map(({ id }) => id))], missing[0]!.path);
}

/** Refuses parts of other records than the input says. */
function refuseForeign({ ids, type }: References, found: readonly Found[]): void {
  const wholes = new Map(found.map(({ id, whole }) => [id, whole]));
  const foreign = ids.filter(({ id, whole }) => typeof whole === 'string' && whole !== wholes.get(id));
  if (foreign.length === 0) return;
  throw notFound(
    type,
    foreign.map(({ id }) => id),
    foreign[0]!.path,
  );
}
