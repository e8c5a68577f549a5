import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { categoryNames } from './category-names.ts';
import { categoryKey } from './find-or-create-categories.ts';

/** The names from the root, as `categoryKey` returns them, of which all categories are automated: a save ignores them. */
export async function automatedPaths(ctx: Context): Promise<ReadonlySet<string>> {
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
  const ids = rows.map(({ id }) => id);
  const names = await categoryNames(ctx, ids);
  const keysOf = (isWanted: boolean) =>
    new Set(
      rows.flatMap(({ id, isAutomated }) => (isAutomated === isWanted ? [categoryKey(names.get(id) ?? [])] : [])),
    );
  return keysOf(true).difference(keysOf(false));
}
