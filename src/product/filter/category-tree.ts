import { sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import { MAX_CATEGORY_DEPTH } from '../../category/category-path.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../db/sql/id.ts';
import { textArray, idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { argumentInvalid, type InputPath } from '../../errors.ts';
import type { CategoryFilterInput } from '../../graphql/generated/types.ts';

/**
 * Categories of one filter with those below them. It bounds the search for subcategories, and the text of the statement
 * that lists the products, which has each id once or twice.
 */
const MAX_CATEGORIES = 5_000;

type Member = 'eq' | 'in' | 'nin';
type Found = { member: Member; id: string };

/**
 * The filter with the subcategories of its categories in its lists, if it asks for them. `path` is the filter's place in
 * the arguments.
 */
export async function withSubcategories(
  ctx: Context,
  filter: CategoryFilterInput | null | undefined,
  path: InputPath,
): Promise<CategoryFilterInput | null | undefined> {
  if (!filter?.includeSubcategories) return filter && { ...filter, includeSubcategories: null };
  const { eq, in: anyOf, nin, isNull } = filter;
  const named: Found[] = [
    ...(typeof eq === 'string' ? [{ member: 'eq' as const, id: eq }] : []),
    ...(anyOf ?? []).map((id) => ({ member: 'in' as const, id })),
    ...(nin ?? []).map((id) => ({ member: 'nin' as const, id })),
  ].filter(({ id }) => isId(id));
  const found = named.length > 0 ? await findTrees(ctx, named) : [];
  if (found.length > MAX_CATEGORIES)
    throw argumentInvalid([
      {
        path: [...path, 'includeSubcategories'],
        message: `must not select more than ${MAX_CATEGORIES} categories together with their subcategories`,
      },
    ]);
  const ids = (wanted: Member): string[] => found.flatMap(({ member, id }) => (member === wanted ? [id] : []));
  const lists = [...(typeof eq === 'string' ? [ids('eq')] : []), ...(anyOf ? [ids('in')] : [])];
  return { in: common(lists), nin: nin && ids('nin'), isNull };
}

/** The ids that are in all lists; null without a list. */
function common([first, second]: string[][]): string[] | null {
  if (!first || !second) return first ?? null;
  const others = new Set(second);
  return first.filter((id) => others.has(id));
}

/**
 * The named categories and those below them, one more than allowed at most. The depth ends a cycle, which plain SQL can
 * make; Postgres may read all categories of the merchant for each level.
 */
async function findTrees(ctx: Context, named: Found[]): Promise<Found[]> {
  const members = textArray(named.map(({ member }) => member));
  const ids = idArray(named.map(({ id }) => id));
  const [depth, rows] = [sql.raw(String(MAX_CATEGORY_DEPTH)), sql.raw(String(MAX_CATEGORIES * MAX_CATEGORY_DEPTH))];
  return await ctx.db.execute<Found>(sql`
    with recursive found(member, id, depth) as (
      select named.member, named.id, 1 from unnest(${members}, ${ids}) as named(member, id)
      union all
      select found.member, ${category.id}, found.depth + 1 from found
      join ${category} on ${ownedBy(ctx, category)} and ${category.parentId} = found.id and not ${category.deleted}
      where found.depth < ${depth}
    )
    select distinct found.member as "member", found.id as "id"
    from (select member, id from found limit ${rows}) as found limit ${sql.raw(String(MAX_CATEGORIES + 1))}`);
}
