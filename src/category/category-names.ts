import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';

/** The names of the categories that are not deleted, from their roots, by id. */
export async function categoryNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const ancestor = alias(category, 'ancestor');
  const rows = await readRows(
    ctx,
    { id: column.text, names: column.json<string[]> },
    sql`
    select ${category.id} as "id", to_json(array(
      select ${ancestor.name} from ${category} as ${sql.identifier('ancestor')}
      where ${ownedBy(ctx, ancestor)} and ${ancestor.id} = any(${category.path})
      order by array_position(${category.path}, ${ancestor.id})
    ) || ${category.name}) as "names"
    from ${category}
    where ${ownedBy(ctx, category)} and ${category.id} = any(${idArray([...new Set(ids)])}) and not ${category.deleted}`,
  );
  return new Map(rows.map(({ id, names }) => [id, names]));
}
