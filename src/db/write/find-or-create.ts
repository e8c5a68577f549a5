import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../../context.ts';
import { pipeline } from '../connection/pipeline.ts';
import { column, readRows } from '../connection/read-rows.ts';
import type { RecordTable } from '../read/projection.ts';
import { ownedBy, textArray } from '../sql/parameter.ts';
import { type InsertedRow, insertIfAbsent } from './write.ts';

export type NamedTable = RecordTable & { name: AnyPgColumn; deleted: AnyPgColumn };

export type FoundOrCreated = {
  /** The id for each name. */
  ids: Map<string, string>;
  /** Names for which this call created a record. */
  created: string[];
};

/**
 * Finds records by name and creates the missing ones. Names are unique among records that are not deleted, so a
 * concurrent call waits and then uses the record of the first. If that record gets another name or is deleted before
 * it is read, it is created after all.
 */
export async function findOrCreateByName<Table extends NamedTable>(
  ctx: Context,
  table: Table,
  names: readonly string[],
  create: (name: string) => InsertedRow<Table>,
): Promise<FoundOrCreated> {
  // Sorted, so that concurrent calls cannot deadlock.
  const wanted = [...new Set(names)].sort();
  const inserted = new Set<string>();
  for (;;) {
    const ids = await findByName(ctx, table, wanted);
    const missing = wanted.filter((name) => !ids.has(name));
    if (missing.length === 0) return { ids, created: wanted.filter((name) => inserted.has(ids.get(name)!)) };
    const steps = insertIfAbsent(ctx, table, { key: ['name'] as never, among: sql`not deleted` }, missing.map(create));
    for (const id of (await pipeline(ctx, steps)) ?? []) inserted.add(id);
  }
}

/** The ids of the records with these names that are not deleted. */
export async function findByName(
  ctx: Context,
  table: NamedTable,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readRows(
    ctx,
    { id: column.text, name: column.text },
    sql`
    select ${table.id} as "id", ${table.name} as "name" from ${table}
    where ${ownedBy(ctx, table)} and ${table.name} = any(${textArray(names)}) and not ${table.deleted}`,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}
