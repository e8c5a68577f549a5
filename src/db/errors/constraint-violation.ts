import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../../drizzle/index.ts';
import { conflict } from '../../errors.ts';
import { databaseError } from './database-error.ts';

const UNIQUE_VIOLATION = '23505';

/** The record that a unique index is for, in words, and its member that must differ, named as in the SDL. */
type UniqueMember = { record: string; member: string };

const UNIQUE_INDEXES: ReadonlyMap<string, UniqueMember> = new Map(
  Object.values(tables).flatMap((table) => (is(table, PgTable) ? uniqueIndexes(table) : [])),
);

/** The members of a table whose values must differ from those of other rows. */
export function uniqueMembers(table: PgTable): string[] {
  return uniqueIndexes(table).map(([, { member }]) => member);
}

/** By the names of the indexes. The last column is the member; those before it say among which records. */
function uniqueIndexes(table: PgTable): [string, UniqueMember][] {
  const members = new Map(Object.entries(getTableColumns(table)).map(([member, { name }]) => [name, member]));
  const record = getTableName(table).replaceAll('_', ' ');
  return getTableConfig(table).indexes.flatMap(({ config: { name, unique, columns } }): [string, UniqueMember][] => {
    const last = columns.at(-1);
    const member = last && 'name' in last ? members.get(last.name ?? '') : undefined;
    return unique && name && member ? [[name, { record, member }]] : [];
  });
}

/** Maps a unique violation to CONFLICT. */
export function translateConstraint(error: unknown): unknown {
  const name = violatedIndex(error);
  if (name === undefined) return error;
  const unique = UNIQUE_INDEXES.get(name);
  return conflict(
    unique ? `Another ${unique.record} already has this ${unique.member}.` : 'Another record already has this value.',
  );
}

/**
 * The name of the violated unique index; empty if it is unknown, undefined for other errors. A cluster may send it in the
 * message only, and with the number of the shard at its end.
 */
export function violatedIndex(error: unknown): string | undefined {
  const violated = databaseError(error);
  if (violated?.code !== UNIQUE_VIOLATION) return undefined;
  const name = violated.constraint_name ?? /"([^"]+)"/.exec(violated.message)?.[1] ?? '';
  return name.replace(/_[0-9]+$/, '');
}
