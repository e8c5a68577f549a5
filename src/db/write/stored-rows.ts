import { getTableName, type InferInsertModel, type InferSelectModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../connection/pipeline.ts';
import type { TenantTable } from '../read/projection.ts';
import { cachedSql } from '../sql/compiled-statement.ts';
import { idArrayText, ownedBy } from '../sql/parameter.ts';
import { columnsOf, isListColumn, type unwritten, writtenColumns } from '../sql/table-columns.ts';

/** The columns that the service writes, without the merchant and the timestamps. */
export type StoredRow<Table extends TenantTable> = Omit<
  Pick<InferSelectModel<Table>, keyof InferSelectModel<Table> & keyof InferInsertModel<Table>>,
  (typeof unwritten)[number]
>;

/** A further condition on the rows, with a name for its text, and its parameters in their order. */
export type RowCondition = { name: string; values: readonly string[]; condition: () => SQL };

/**
 * The rows whose `member` is one of the ids, and which meet the condition. `exact`: a number that is read as a text with
 * all its digits.
 */
export type RowKeys<Table extends TenantTable> = {
  member: keyof InferSelectModel<Table> & string;
  ids: readonly string[];
  only?: RowCondition;
  exact?: keyof InferSelectModel<Table> & string;
};

/**
 * The step that reads rows, with the names of the TypeScript table and in types that the driver converts itself: for
 * thousands of rows Drizzle's conversion takes longer than the driver.
 */
export function storedRows<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  keys: RowKeys<Table>,
): PipelineStep<StoredRow<Table>[]> {
  return rowsStep(ctx, table, keys, '');
}

/** Like `storedRows`; locks the rows in the order of `member` until the end of the transaction. */
export function lockedRows<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  keys: RowKeys<Table>,
): PipelineStep<StoredRow<Table>[]> {
  return rowsStep(ctx, table, keys, 'for update');
}

function rowsStep<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  { member, ids, only, exact }: RowKeys<Table>,
  lock: '' | 'for update',
): PipelineStep<StoredRow<Table>[]> {
  const column = columnsOf(table)[member]!;
  const list = idArrayText(ids);
  const end = lock === '' ? sql`` : sql` order by ${column} for update`;
  const statement = cachedSql(
    ctx,
    `rows ${getTableName(table)} ${member} ${lock} ${only?.name} ${exact}`,
    [ctx.merchantId, list, ...(only?.values ?? [])],
    () => sql`
    select ${values(table, exact)} from ${table}
    where ${ownedBy(ctx, table)} and ${column} = any(${list}::uuid[])${only ? sql` and ${only.condition()}` : sql``}${end}`,
  );
  return { statement, read: (rows) => rows as StoredRow<Table>[] };
}

function values(table: TenantTable, exact: string | undefined): SQL {
  const columns = writtenColumns(table).map(([member, column]) => {
    const read = member === exact ? sql`trim_scale(${column})::text` : value(column);
    return sql`${read} as ${sql.identifier(member)}`;
  });
  return sql.join(columns, sql`, `);
}

function value(column: AnyPgColumn): SQL {
  const type = column.getSQLType();
  if (type.startsWith('numeric')) return sql`${column}::float8`;
  if (type.startsWith('timestamp')) return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return isListColumn(column) ? sql`to_json(${column})` : sql`${column}`;
}
