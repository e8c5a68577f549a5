import { type SQL, sql } from 'drizzle-orm';
import { variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { nullCondition } from '../../db/filter/filter.ts';
import { idTextArrayMatcher, unwantedValues } from '../../db/filter/list-filter.ts';
import type { SqlScope } from '../../db/read/projection.ts';
import { plannedForValues } from '../../db/sql/compiled-statement.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import type { ProductAttributeFilterInput } from '../../graphql/generated/types.ts';
import { hasVariant, isAmongVariants, type ProductRow, type VariantRow } from './row-filter.ts';

/**
 * Maximum number of variants with a wanted attribute for which the variants are read before the products. Each product
 * is compared with all of their ids: with 25,000 ids this took 16 s in 100,000 products.
 */
const MAX_RARE_VARIANTS = 1_000;

/** `isFrequent` is true if more variants than `MAX_RARE_VARIANTS` have one of the wanted attributes. */
export type AttributeFilter = ProductAttributeFilterInput & { isFrequent?: boolean };

/** The filter with `isFrequent`, which decides whether Postgres begins with the variants or with the products. */
export async function withFrequency(
  ctx: Context,
  filter: ProductAttributeFilterInput | null | undefined,
): Promise<AttributeFilter | null | undefined> {
  const lists = wantedLists(filter);
  return filter && lists.length > 0 ? { ...filter, isFrequent: await isFrequent(ctx, lists.flat()) } : filter;
}

/** The ids of each member that wants an attribute. */
function wantedLists(filter: ProductAttributeFilterInput | null | undefined): (readonly string[])[] {
  return [typeof filter?.eq === 'string' ? [filter.eq] : null, filter?.in].filter((ids) => ids != null);
}

async function isFrequent(ctx: Context, ids: readonly string[]): Promise<boolean> {
  const first = sql`
    select 1 from ${variant}
    where ${ownedBy(ctx, variant)} and not ${variant.deleted} and ${attributesOf(variant).any(ids)}
    offset ${sql.raw(String(MAX_RARE_VARIANTS))} limit 1`;
  return (await ctx.db.execute(plannedForValues(first))).length > 0;
}

/** Matches the attributes of the product and of its variants. */
export function attributeFilter(row: ProductRow, scope: SqlScope, filter: AttributeFilter | null | undefined): SQL[] {
  if (!filter) return [];
  const inVariant = (ids: readonly string[]): SQL =>
    (filter.isFrequent ? hasVariant : isAmongVariants)(row, scope, (variant) => [attributesOf(variant).any(ids)]);
  // An anti join, as most variants can have an attribute.
  const inNoVariant = (ids: readonly string[]): SQL =>
    sql`not ${hasVariant(row, scope, (variant) => [attributesOf(variant).any(ids)])}`;
  const unwanted = unwantedValues(filter);
  return [
    ...nullCondition(withoutAttributes(row, scope), filter),
    ...wantedLists(filter).map((ids) => sql`(${attributesOf(row).any(ids)} or ${inVariant(ids)})`),
    ...(unwanted ? [sql`(${attributesOf(row).any(unwanted)}) is not true`, inNoVariant(unwanted)] : []),
  ];
}

function attributesOf(table: ProductRow | VariantRow) {
  return idTextArrayMatcher(table.attributeIds);
}

function withoutAttributes(row: ProductRow, scope: SqlScope): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [sql`${variant.attributeIds} is not null`]);
  return sql`${row.attributeIds} is null and not ${inVariant}`;
}
