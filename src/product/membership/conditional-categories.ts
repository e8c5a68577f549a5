import { type SQL, sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import type { MerchantContext } from '../../context.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { ConditionalCategory } from './condition-predicate.ts';

/**
 * Of one statement that compares products with conditions: 128 KiB are some thousands of conditions or ids. They bound
 * the time of a turn, and what a merchant with many conditions takes of the worker's memory.
 */
const MAX_CATEGORIES = 100;
export const MAX_CONDITION_BYTES = 128 * 1_024;

type Read = ConditionalCategory & { bytes: number; fits: boolean };

/** A part of the categories in the order of their ids. `rest`: the ids of those that did not fit. */
export type CategorySlice = { categories: ConditionalCategory[]; bytes: number; rest: string[] };

/** The merchant's automated categories after an id. */
export async function automatedCategoriesAfter(ctx: MerchantContext, id: string): Promise<CategorySlice> {
  return await slice(ctx, sql`${category.byConditions} and not ${category.deleted} and ${category.id} > ${id}::uuid`);
}

/** The categories with these ids. One that does not exist has no conditions. */
export async function categoriesAmong(ctx: MerchantContext, ids: readonly string[]): Promise<CategorySlice> {
  const asked = ids.slice(0, MAX_CATEGORIES);
  const found = await slice(ctx, sql`${category.id} = any(${idArray(asked)})`);
  const known = new Set([...found.categories.map((one) => one.id), ...found.rest]);
  const missing = asked.filter((id) => !known.has(id)).map((id) => ({ ...NO_CATEGORY, id }));
  return { ...found, categories: [...found.categories, ...missing] };
}

const NO_CATEGORY = { byConditions: false, deleted: true, shouldMatchAllConditions: null, conditions: null };

/** The first one always fits. One more is read than are taken, so that `rest` is empty at the end only. */
async function slice(ctx: MerchantContext, condition: SQL): Promise<CategorySlice> {
  const rows = await ctx.db.execute<Read>(sql`
    select id as "id", by_conditions as "byConditions", deleted as "deleted",
      should_match_all_conditions as "shouldMatchAllConditions", bytes::float8 as "bytes", fits as "fits",
      case when fits then conditions end as "conditions"
    from (
      select *, n = 1 or (bytes <= ${sql.raw(String(MAX_CONDITION_BYTES))} and n <= ${sql.raw(String(MAX_CATEGORIES))}) as fits
      from (
        select *, sum(octet_length(conditions::text)) over (order by id) as bytes, row_number() over (order by id) as n
        from (
          select ${category.id}, ${category.byConditions}, ${category.deleted}, ${category.shouldMatchAllConditions},
            ${category.conditions}
          from ${category} where ${ownedBy(ctx, category)} and ${condition}
          order by ${category.id} limit ${sql.raw(String(MAX_CATEGORIES + 1))}
        ) as read
      ) as counted
    ) as measured
    order by id`);
  const categories = rows.filter(({ fits }) => fits);
  return {
    categories,
    bytes: categories.at(-1)?.bytes ?? 0,
    rest: rows.flatMap(({ id, fits }) => (fits ? [] : [id])),
  };
}
