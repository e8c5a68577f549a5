import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { TenantTable } from './shape.ts';
import { template } from './template.ts';
import type { Tenant } from './tenant.ts';
import { type Step, step } from './together.ts';

type Row<Table extends TenantTable> = Omit<InferInsertModel<Table>, 'merchantId'>;

/**
 * The step that inserts the rows: one for any number of them, none for none. Rows travel as one JSON parameter, so that a
 * statement has one text. All rows have the members of the first; members are named as in the table's TypeScript. `updatedAt` is
 * set by the database.
 */
export function insert<Table extends TenantTable>(ctx: Tenant, table: Table, rows: Row<Table>[]): Step<void>[] {
  return rows.length === 0 ? [] : [step(insertStatement(ctx, table, rows))];
}

/**
 * Leaves out rows whose unique `key` another row has, and answers the ids of those that went in.
 * `among` is the condition of a unique index that holds for some rows only.
 */
export function insertFree<Table extends TenantTable & { id: AnyPgColumn }>(
  ctx: Tenant,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
  among?: SQL,
): Step<string[]>[] {
  if (rows.length === 0) return [];
  const condition = among ? sql` where ${among}` : sql``;
  const statement = sql`${insertStatement(ctx, table, rows)} on conflict (${target(table, key)})${condition} do nothing returning id`;
  return [{ statement, read: (inserted) => inserted.map(({ id }) => id as string) }];
}

/** Inserts, or sets the given members of the row that has the key already; `createdAt` stays. */
export function upsert<Table extends TenantTable>(
  ctx: Tenant,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
): Step<void>[] {
  if (rows.length === 0) return [];
  const members = writtenMembers(table, rows);
  const sent = JSON.stringify(rows);
  const name = `upsert ${getTableName(table)} ${key.join()} ${members.join()}`;
  const make = (): SQL =>
    sql`${insertion(ctx, table, members, sent)} on conflict (${target(table, key)}) ${resolution(table, key, members)}`;
  return [step(template(name, [ctx.merchantId, sent], make))];
}

function resolution(table: TenantTable, key: readonly string[], members: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const changed = members.filter((member) => !key.includes(member) && member !== 'createdAt');
  if (changed.length === 0) return sql`do nothing`;
  const set = [...changed, ...(columns.updatedAt ? ['updatedAt'] : [])].map((member) => {
    const name = sql.identifier(columns[member]!.name);
    return sql`${name} = excluded.${name}`;
  });
  // A row that says the same again is left alone: writing it anew would cost an index entry in every index.
  return sql`do update set ${sql.join(set, sql`, `)} where ${differs(table, changed)}`;
}

function differs(table: TenantTable, members: string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  // The type json has no equality; what it holds is kept as it was written, so its text has.
  const comparable = (side: SQL, column: AnyPgColumn): SQL =>
    column.getSQLType() === 'json' ? sql`${side}::text` : side;
  const stored = members.map((member) => comparable(sql`${columns[member]}`, columns[member]!));
  const sent = members.map((member) =>
    comparable(sql`excluded.${sql.identifier(columns[member]!.name)}`, columns[member]!),
  );
  return sql`(${sql.join(stored, sql`, `)}) is distinct from (${sql.join(sent, sql`, `)})`;
}

function target(table: TenantTable, key: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql.join(
    ['merchantId', ...key].map((member) => sql.identifier(columns[member]!.name)),
    sql`, `,
  );
}

function insertStatement<Table extends TenantTable>(ctx: Tenant, table: Table, rows: Row<Table>[]): SQL {
  const members = writtenMembers(table, rows);
  const sent = JSON.stringify(rows);
  return template(`insert ${getTableName(table)} ${members.join()}`, [ctx.merchantId, sent], () =>
    insertion(ctx, table, members, sent),
  );
}

function insertion(ctx: Tenant, table: TenantTable, members: readonly string[], sent: string): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const stamp = columns.updatedAt ? ['updatedAt'] : [];
  const names = [...members, ...stamp].map((member) => sql.identifier(columns[member]!.name));
  const values = [...members.map((member) => sql`rows.${sql.identifier(member)}`), ...stamp.map(() => sql`now()`)];
  return sql`
    insert into ${sql.identifier(getTableName(table))} (merchant_id, ${sql.join(names, sql`, `)})
    select ${ctx.merchantId}::uuid, ${sql.join(values, sql`, `)}
    from json_to_recordset(${sent}::json) as rows${definition(table, members)}`;
}

/** The database's clock says when a row was changed, whatever a stored row that is written back says. */
function writtenMembers(table: TenantTable, rows: readonly object[]): string[] {
  return Object.keys(getTableColumns(table)).filter(
    (member) => member in rows[0]! && member !== 'updatedAt' && member !== 'merchantId',
  );
}

function definition(table: TenantTable, members: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql`(${sql.join(
    members.map((member) => sql`${sql.identifier(member)} ${sql.raw(columns[member]!.getSQLType())}`),
    sql`, `,
  )})`;
}
