import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import type { Translation } from '../../drizzle/columns.ts';
import type { Context } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { insert } from '../db/write/write.ts';
import type { InputPath } from '../errors.ts';
import { mapInSlices } from '../limits/event-loop-slices.ts';
import { savePageMetadata } from '../page-metadata/save-page-metadata.ts';
import { lockCategoryTree, MAX_CATEGORY_DEPTH, treeTooDeep } from './category-path.ts';

type CategoryTexts = { name: string[]; description?: string | null; translations?: Translation[] | null };
/** The names of a category from its root, and their place in the arguments. */
export type WantedCategory = { names: readonly string[]; path: InputPath };
type FoundCategory = { id: string; path: string[] };

export function categoryKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

/**
 * The ids of categories by `categoryKey` of their names from the root. Missing categories are created, unless the tree
 * would be too deep. If several categories have one name under one parent, the oldest is taken. `texts` are used only
 * for categories that are created.
 */
export async function findOrCreateCategories(
  ctx: Context,
  categories: readonly WantedCategory[],
  texts: readonly CategoryTexts[] = [],
): Promise<Map<string, string>> {
  const textsByKey = new Map(
    texts.map((entry) => [categoryKey(entry.name), entry]).reverse() as [string, CategoryTexts][],
  );
  const distinct = new Map<string, readonly string[]>();
  await mapInSlices(ctx, categories, ({ names }) => distinct.set(categoryKey(names), names));
  const wantedPaths = [...distinct.values()];
  const found = new Map<string, FoundCategory>();
  const depth = wantedPaths.reduce((deepest, names) => Math.max(deepest, names.length), 0);
  const missingAt = async (level: number): Promise<(readonly string[])[]> => {
    const wanted = ancestorsAt(wantedPaths, level);
    await find(ctx, wanted, found);
    return wanted.filter((names) => !found.has(categoryKey(names)));
  };
  let complete = 0;
  while (complete < depth && (await missingAt(complete + 1)).length === 0) complete++;
  if (complete < depth) {
    // Names are not unique, so no index prevents duplicates: one transaction at a time creates categories. It finds all
    // levels again, because another one may have moved or deleted what was found before the lock.
    await lockCategoryTree(ctx);
    found.clear();
    for (let level = 1; level <= depth; level++) {
      const missing = await missingAt(level);
      if (missing.length === 0) continue;
      refuseTooDeep(categories, level, missing);
      await create(ctx, missing, found, textsByKey);
    }
  }
  return new Map([...found].map(([key, { id }]) => [key, id]));
}

/** The distinct categories of one level, each as its names from the root. */
function ancestorsAt(paths: readonly (readonly string[])[], level: number): (readonly string[])[] {
  const ancestors = paths.filter((names) => names.length >= level).map((names) => names.slice(0, level));
  return [...new Map(ancestors.map((names) => [categoryKey(names), names])).values()];
}

/** Before the first missing ancestor of a category that would be too deep is created. */
function refuseTooDeep(
  categories: readonly WantedCategory[],
  level: number,
  missing: readonly (readonly string[])[],
): void {
  const keys = new Set(missing.map(categoryKey));
  const deep = categories.filter(({ names }) => names.length > MAX_CATEGORY_DEPTH);
  const refused = deep.filter(({ names }) => keys.has(categoryKey(names.slice(0, level))));
  if (refused.length > 0) throw treeTooDeep(refused.map(({ path }) => path));
}

/** Finds the categories of one level, below the parents that were found before. */
async function find(ctx: Context, wanted: (readonly string[])[], found: Map<string, FoundCategory>): Promise<void> {
  const isRoot = wanted[0]?.length === 1;
  const sought = isRoot ? wanted : wanted.filter((names) => found.has(categoryKey(names.slice(0, -1))));
  if (sought.length === 0) return;
  const names = textArray(sought.map((path) => path.at(-1)!));
  const parents = idArray(isRoot ? [] : sought.map((path) => found.get(categoryKey(path.slice(0, -1)))!.id));
  const { id, name, parentId, path, createdAt, deleted } = category;
  // `offset 0` prevents a scan of the index on `created_at` for the oldest one: it has all categories of the merchant.
  const rows = await readRows(
    ctx,
    { place: column.number, id: column.text, path: column.json<string[]> },
    sql`
    select wanted.place::int as "place", oldest.id as "id", to_json(oldest.path) as "path"
    from unnest(${parents}, ${names}) with ordinality as wanted (parent_id, name, place) cross join lateral (
      select same.id, same.path from (
        select ${id}, ${path}, ${createdAt} from ${category}
        where ${ownedBy(ctx, category)} and not ${deleted} and ${name} = wanted.name
          and ${isRoot ? sql`${parentId} is null` : sql`${parentId} = wanted.parent_id`}
        offset 0) as same
      order by same.created_at, same.id limit 1) as oldest`,
  );
  for (const { place, ...row } of rows) found.set(categoryKey(sought[place - 1]!), row);
}

async function create(
  ctx: Context,
  missing: (readonly string[])[],
  found: Map<string, FoundCategory>,
  texts: ReadonlyMap<string, CategoryTexts>,
): Promise<void> {
  const rows = missing.map((names) => {
    const parent = names.length === 1 ? null : found.get(categoryKey(names.slice(0, -1)))!;
    const row = {
      id: newId(),
      name: names.at(-1)!,
      parentId: parent?.id ?? null,
      path: parent ? [...parent.path, parent.id] : [],
      description: texts.get(categoryKey(names))?.description ?? null,
      translations: texts.get(categoryKey(names))?.translations ?? null,
    };
    found.set(categoryKey(names), row);
    return row;
  });
  await pipeline(ctx, insert(ctx, category, rows));
  await savePageMetadata(
    ctx,
    'CATEGORY',
    rows.map(({ id, name }) => ({ targetId: id, name, isNew: true })),
  );
}
