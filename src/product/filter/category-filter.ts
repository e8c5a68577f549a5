import { type SQL, sql } from 'drizzle-orm';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { category } from '../../../drizzle/category.ts';
import { type ListMatcher, listFilter } from '../../db/filter/list-filter.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { exists } from '../../db/read/relations.ts';
import { idLiterals, ownedBy } from '../../db/sql/parameter.ts';
import type { CategoryFilter } from './category-tree.ts';
import type { ProductRow } from './row-filter.ts';

/**
 * Products by the categories that they are shown in: those that they were saved into, unless automated, and the
 * automated ones whose conditions they meet.
 */
export function categoryFilter(
  row: ProductRow,
  scope: SqlScope,
  filter: CategoryFilter | null | undefined,
  includeDeleted: boolean,
): SQL[] {
  // Most requests have none, and the conditions below are a tenth of what a page of products takes in Node.
  if (!filter) return [];
  const matcher: ListMatcher = {
    any: (ids) => (includeDeleted ? isInAnyOf(row, scope, ids) : isListedInAnyOf(row, scope, ids)),
    like: () => sql`false`,
    isEmpty: isInNone(row, scope),
  };
  return [...(filter.tree ? [matcher.any(filter.tree)] : []), ...listFilter(matcher, filter)];
}

/**
 * For products that are not deleted. One look-up for both kinds of categories, of which Postgres knows how many
 * products each has: it reads either the categories or the products first.
 */
function isListedInAnyOf(row: ProductRow, scope: SqlScope, ids: readonly string[]): SQL {
  const automated = automatedAmong(scope, idLiterals(ids, 'uuid'));
  return exists(scope, categoryProduct, (member) => [
    sql`${member.categoryId} = any(${idLiterals(ids, 'uuid')})`,
    // Compared with `=`, Postgres would expect one row in two hundred to have the right kind.
    sql`(not ${member.byConditions} and ${member.categoryId} <> all(${automated})
      or ${member.byConditions} and ${member.categoryId} = any(${automated}))`,
    sql`${member.createdAt} = ${row.createdAt}`,
    sql`${member.productId} = ${row.id}`,
  ]);
}

/** For all products. The index of `category_ids` serves the deleted ones, which `category_product` does not have. */
function isInAnyOf(row: ProductRow, scope: SqlScope, ids: readonly string[]): SQL {
  const list = idLiterals(ids, 'uuid');
  const saved = sql`array(select saved from unnest(${list}) as saved where saved <> all(${automatedAmong(scope, list)}))`;
  return sql`(${row.categoryIds} && ${list} and ${row.categoryIds} && ${saved} or ${meetsConditions(row, scope, list)})`;
}

function isInNone(row: ProductRow, scope: SqlScope): SQL {
  const { row: known, from } = aliased(scope, category);
  const automated = sql`array(select ${known.id} from ${from} where ${ownedBy(scope.tenant, known)} and ${known.byConditions})`;
  return sql`(
    (${row.categoryIds} = '{}' or ${row.categoryIds} <@ ${automated}) and not ${meetsConditions(row, scope)})`;
}

function meetsConditions(row: ProductRow, scope: SqlScope, list?: SQL): SQL {
  return exists(scope, categoryProduct, (member) => [
    sql`${member.productId} = ${row.id}`,
    sql`${member.byConditions}`,
    ...(list ? [sql`${member.categoryId} = any(${list})`] : []),
  ]);
}

/** Those of the ids whose categories are automated, as an array that is read once. */
function automatedAmong(scope: SqlScope, list: SQL): SQL {
  const { row, from } = aliased(scope, category);
  return sql`array(
    select ${row.id} from ${from} where ${ownedBy(scope.tenant, row)} and ${row.byConditions} and ${row.id} = any(${list}))`;
}

/** Rows of one category in `category_product`: those of its kind. */
export function membersOf(scope: SqlScope, categoryId: string): SQL[] {
  const { row, from } = aliased(scope, category);
  const isAutomated = sql`
    select ${row.byConditions} from ${from} where ${ownedBy(scope.tenant, row)} and ${row.id} = ${categoryId}::uuid`;
  return [
    sql`${categoryProduct.categoryId} = ${categoryId}::uuid`,
    sql`${categoryProduct.byConditions} = coalesce((${isAutomated}), false)`,
  ];
}
