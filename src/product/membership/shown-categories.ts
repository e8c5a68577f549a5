import { sql } from 'drizzle-orm';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { category } from '../../../drizzle/category.ts';
import type { product } from '../../../drizzle/product.ts';
import type { SharedRecords } from '../../db/read/placeholders.ts';
import {
  aliased,
  type JsonExpression,
  PAGE,
  placeholder,
  type Projection,
  type SqlScope,
  type TenantTable,
} from '../../db/read/projection.ts';
import { addOnce, addSharedText, exists, sharedRecords } from '../../db/read/relations.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

type ProductRow = typeof product;
type CategoryTable = TenantTable & typeof category;

/** Of the products of a page: automated categories among those they were saved into, and those by their conditions. */
type PageCategories = { automated: Record<string, true> | null; byConditions: Record<string, string[]> | null };

/**
 * The ids of the categories that a product is shown in: first those it was saved into, in their order, then the
 * automated ones. Events have the ids that were saved: they do not tell of changes that follow from conditions.
 */
export function shownCategoryIds(row: ProductRow, scope: SqlScope): JsonExpression<string[]> {
  const shown = shownIds(row, scope);
  const ids = placeholder<string[]>(scope, shown.stored, (stored, page) => JSON.stringify(shown.read(stored, page)));
  return { ...ids, event: { kind: 'value', sql: sql`${row.categoryIds}` } };
}

/** The same as records. */
export function shownCategories<Type>(
  row: ProductRow,
  scope: SqlScope,
  type: Projection<Type, CategoryTable>,
): JsonExpression<Type[]> {
  const shown = shownIds(row, scope);
  const { row: member, from } = aliased(scope, categoryProduct);
  const records = sharedRecords(
    scope,
    type,
    sql`
      select unnest(${row.categoryIds}) from ${sql.identifier(PAGE)}
      union all
      select ${member.categoryId} from ${from}
      where ${ownedBy(scope.tenant, member)} and ${member.byConditions} and ${member.productId} = any(${pageIds(row)})`,
  );
  const found = placeholder<Type[]>(scope, shown.stored, (stored, page) => {
    const texts = shown.read(stored, page).flatMap((id) => page.text(records, id) ?? []);
    return `[${texts.join(',')}]`;
  });
  return { ...found, event: { kind: 'records', type, ids: row.categoryIds } };
}

/** The stored value of the placeholder, and the ids that it stands for. */
function shownIds(row: ProductRow, scope: SqlScope) {
  const place = addOnce(scope, 'categories of products', () => pageCategories(row, scope));
  // Postgres writes a uuid array as {id,id}.
  const stored = sql`${row.id} || ${row.categoryIds}::text`;
  const read = (text: string, page: SharedRecords): string[] => {
    const { automated, byConditions } = page.value(place) as PageCategories;
    const [productId, list] = text.slice(0, -1).split('{') as [string, string];
    const saved = list === '' ? [] : list.split(',');
    return [...saved.filter((id) => !automated?.[id]), ...(byConditions?.[productId] ?? [])];
  };
  return { stored, read };
}

/**
 * When a category is no longer automated, the worker deletes its rows by conditions some seconds later. Leaving these rows
 * out takes 20 us for one product, and 120 us for 20 products with five automated categories each.
 */
function pageCategories(row: ProductRow, scope: SqlScope): number {
  const { row: known, from: categories } = aliased(scope, category);
  const { row: member, from: members } = aliased(scope, categoryProduct);
  const isStillAutomated = exists(scope, category, (now) => [
    sql`${now.byConditions}`,
    sql`${now.id} = ${member.categoryId}`,
  ]);
  return addSharedText(
    scope,
    sql`json_build_object(
      'automated', (
        select json_object_agg(${known.id}, true) from ${categories}
        where ${ownedBy(scope.tenant, known)} and ${known.byConditions}
          and ${known.id} = any(array(select unnest(${row.categoryIds}) from ${sql.identifier(PAGE)}))),
      'byConditions', (
        select json_object_agg(listed.product_id, listed.ids) from (
          select ${member.productId} as product_id, json_agg(${member.categoryId} order by ${member.categoryId}) as ids
          from ${members}
          where ${ownedBy(scope.tenant, member)} and ${member.byConditions} and ${member.productId} = any(${pageIds(row)})
            and ${isStillAutomated}
          group by 1) as listed)
    )::text`,
  );
}

function pageIds(row: ProductRow) {
  return sql`array(select ${row.id} from ${sql.identifier(PAGE)})`;
}
