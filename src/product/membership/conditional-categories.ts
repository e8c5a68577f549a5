import { type SQL, sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import type { ConditionalCategory } from './condition-predicate.ts';

/** The most that one statement compares: 128 KiB are some thousands of conditions or ids. */
const MAX_CATEGORIES = 100;
const MAX_CONDITION_BYTES = 128 * 1_024;

const READ = {
  id: column.text,
  byConditions: column.boolean,
  deleted: column.boolean,
  shouldMatchAllConditions: column.nullable(column.boolean),
  conditions: column.unknown,
  fits: column.boolean,
};

/** A part of the categories in the order of their ids. `rest`: the ids of those that did not fit. */
export type CategorySlice = { categories: ConditionalCategory[]; rest: string[] };

/** The merchant's automated categories after an id. `part`: of the most that one statement compares. */
export async function automatedCategoriesAfter(ctx: MerchantContext, id: string, part: number): Promise<CategorySlice> {
  return await slice(
    ctx,
    part,
    sql`${category.byConditions} and not ${category.deleted} and ${category.id} > ${id}::uuid`,
  );
}

/** The categories with these ids. One that does not exist has no conditions. */
export async function categoriesAmong(
  ctx: MerchantContext,
  ids: readonly string[],
  part: number,
): Promise<CategorySlice> {
  const asked = ids.slice(0, maxCategories(part));
  const found = await slice(ctx, part, sql`${category.id} = any(${idArray(asked)})`);
  const known = new Set([...found.categories.map((one) => one.id), ...found.rest]);
  const missing = asked.filter((id) => !known.has(id)).map((id) => ({ ...NO_CATEGORY, id }));
  return { ...found, categories: [...found.categories, ...missing] };
}

const NO_CATEGORY = { byConditions: false, deleted: true, shouldMatchAllConditions: null, conditions: null };

function maxCategories(part: number): number {
  return Math.ceil(MAX_CATEGORIES * part);
}

/** The first one always fits. One more is read than are taken, so that `rest` is empty at the end only. */
async function slice(ctx: MerchantContext, part: number, condition: SQL): Promise<CategorySlice> {
  const max = maxCategories(part);
  const maxBytes = Math.floor(MAX_CONDITION_BYTES * part);
  const rows = await readRows(
    ctx,
    READ,
    sql`
    select id as "id", by_conditions as "byConditions", deleted as "deleted",
      should_match_all_conditions as "shouldMatchAllConditions", fits as "fits",
      case when fits then conditions end as "conditions"
    from (
      select *, n = 1 or (bytes <= ${maxBytes}::int and n <= ${max}::int) as fits
      from (
        select *, row_number() over (order by id) as n,
          sum(coalesce(octet_length(conditions::text), 0)) over (order by id) as bytes
        from (
          select ${category.id}, ${category.byConditions}, ${category.deleted}, ${category.shouldMatchAllConditions},
            ${category.conditions}
          from ${category} where ${ownedBy(ctx, category)} and ${condition}
          order by ${category.id} limit ${max + 1}::int
        ) as read
      ) as counted
    ) as measured
    order by id`,
  );
  return {
    categories: rows.filter(({ fits }) => fits),
    rest: rows.flatMap(({ id, fits }) => (fits ? [] : [id])),
  };
}
