import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../drizzle/index.ts';

/** The tables that have a merchant: on a cluster they are distributed. */
export const TENANT_TABLES: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap((table) =>
    is(table, PgTable) && 'merchantId' in getTableColumns(table) ? [getTableName(table)] : [],
  ),
);
