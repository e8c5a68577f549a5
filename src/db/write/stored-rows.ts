import {
  getTableColumns,
  getTableName,
  type InferInsertModel,
  type InferSelectModel,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { filledByTrigger } from '../../../drizzle/columns.ts';
import { isId } from '../sql/id.ts';
import type { TenantTable } from '../read/projection.ts';
import { cachedSql } from '../sql/template.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';

const unread = ['merchantId', 'createdAt', 'updatedAt', ...filledByTrigger] as const;

/** What a record's rows hold besides the merchant, when they were written, and what Postgres makes of the rest. */
export type StoredRow<Table extends TenantTable> = Omit<
  Pick<InferSelectModel<Table>, keyof InferSelectModel<Table> & keyof InferInsertModel<Table>>,
  (typeof unread)[number]
>;

/**
 * The statement that reads the rows whose `member` is one of the ids, under the names of the table's TypeScript and in types that
 * the driver itself makes its values of: of thousands of rows Drizzle's own reading costs more than the driver's. With
 * `isHeld` they are held until the transaction ends, in one order for all.
 */
export function selectStoredRows<Table extends TenantTable>(
  ctx: Tenant,
  table: Table,
  member: keyof InferSelectModel<Table> & string,
  ids: readonly string[],
  isHeld = false,
): SQL {
  const column = (getTableColumns(table) as Record<string, AnyPgColumn>)[member]!;
  const list = `{${ids.filter(isId).join(',')}}`;
  const end = isHeld ? sql` order by ${column} for update` : sql``;
  return cachedSql(
    `rows ${getTableName(table)} ${member} ${isHeld}`,
    [ctx.merchantId, list],
    () => sql`
    select ${values(table)} from ${table} where ${ownedBy(ctx, table)} and ${column} = any(${list}::uuid[])${end}`,
  );
}

function values(table: TenantTable): SQL {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>).filter(
    ([member, column]) => !(unread as readonly string[]).includes(member) && !column.generated,
  );
  return sql.join(
    columns.map(([member, column]) => sql`${value(column)} as ${sql.identifier(member)}`),
    sql`, `,
  );
}

function value(column: AnyPgColumn): SQL {
  const type = column.getSQLType();
  if (type.startsWith('numeric')) return sql`${column}::float8`;
  return type.endsWith('[]') ? sql`to_json(${column})` : sql`${column}`;
}
