import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { category } from '../../../drizzle/category.ts';
import { categoryNames } from '../../category/category-names.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/** Whether all categories with these names from the root are automated: a save ignores them. */
export type IsAutomatedPath = (names: readonly string[]) => boolean;

export async function automatedPaths(ctx: Context): Promise<IsAutomatedPath> {
  const automated = alias(category, 'automated');
  const rows = await readRows(
    ctx,
    { id: column.text, isAutomated: column.boolean },
    sql`
    select ${category.id} as "id", ${category.byConditions} as "isAutomated" from ${category}
    where ${ownedBy(ctx, category)} and not ${category.deleted} and ${category.name} in (
      select ${automated.name} from ${category} as automated
      where ${ownedBy(ctx, automated)} and ${automated.byConditions} and not ${automated.deleted}
    )`,
  );
  const { paths, find } = await categoryNames(
    ctx,
    rows.map(({ id }) => id),
  );
  const pathsOf = (isWanted: boolean) =>
    new Set(rows.flatMap(({ id, isAutomated }) => (isAutomated === isWanted ? (paths.get(id) ?? []) : [])));
  const ofAutomated = pathsOf(true).difference(pathsOf(false));
  return (names) => {
    const path = find(names);
    return path !== undefined && ofAutomated.has(path);
  };
}
