import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../../drizzle/index.ts';
import { databaseError, SQLSTATE } from './database-error.ts';

const OWN_SCHEMAS = /^(drizzle|pgboss)\./;
const OWN_TABLES: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap((table) => (is(table, PgTable) ? [getTableName(table)] : [])),
);

/** Whether a table is missing that migrations make, and not, for example, one of a cluster's shards. */
export function isOwnTableMissing(error: unknown): boolean {
  const missing = databaseError(error);
  if (missing?.code !== SQLSTATE.undefinedTable) return false;
  const name = /"([^"]+)"/.exec(missing.message)?.[1] ?? '';
  return OWN_SCHEMAS.test(name) || OWN_TABLES.has(name.replace(/^public\./, ''));
}
