import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { mapInSlices } from '../limits/event-loop-slices.ts';

/**
 * The names of a category and its ancestors, as a node in a tree of names. Categories with the same names share a node,
 * and each name is stored once. With the names listed for each of them, 10,000 categories of 50 levels could take 500 MB.
 */
export type NamePath = Map<string, NamePath>;

/**
 * `paths`: those of the categories and their ancestors by id, without deleted ones. `find`: undefined if none has the
 * names.
 */
export type CategoryNames = {
  paths: ReadonlyMap<string, NamePath>;
  find: (names: readonly string[]) => NamePath | undefined;
};

export async function categoryNames(ctx: Context, ids: readonly string[]): Promise<CategoryNames> {
  const root: NamePath = new Map();
  const [all, paths] = [new Map<string, NamePath>(), new Map<string, NamePath>()];
  await mapInSlices(ctx, await withAncestors(ctx, ids), ({ id, parentId, name, deleted }) => {
    const parent = all.get(parentId ?? '') ?? root;
    const path = parent.get(name) ?? new Map<string, NamePath>();
    parent.set(name, path);
    all.set(id, path);
    if (!deleted) paths.set(id, path);
  });
  const find = (names: readonly string[]): NamePath | undefined => {
    let path: NamePath | undefined = root;
    for (const name of names) path = path?.get(name);
    return path;
  };
  return { paths, find };
}

/** The categories and their ancestors, parents before children. */
async function withAncestors(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const named = alias(category, 'named');
  const { id, parentId, name, deleted, path } = category;
  return await readRows(
    ctx,
    { id: column.text, parentId: column.nullable(column.text), name: column.text, deleted: column.boolean },
    sql`
    select ${id} as "id", ${parentId} as "parentId", ${name} as "name", ${deleted} as "deleted" from ${category}
    where ${ownedBy(ctx, category)} and ${id} = any(array(
      select distinct unnest(${named.path} || ${named.id}) from ${category} as named
      where ${ownedBy(ctx, named)} and ${named.id} = any(${idArray([...new Set(ids)])}) and not ${named.deleted}))
    order by cardinality(${path})`,
  );
}
