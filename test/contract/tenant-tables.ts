import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../drizzle/index.ts';

/** The tables with a column `merchant_id`, by which a cluster distributes them. */
export const TENANT_TABLES: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap((table) =>
    is(table, PgTable) && 'merchantId' in getTableColumns(table) ? [getTableName(table)] : [],
  ),
);
