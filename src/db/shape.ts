import { aliasedTable, getTableName, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { of, type Tenant } from './tenant.ts';

/**
 * A GraphQL type as SQL: each field once, with the expression it is made of. A selection and a
 * shape make one statement whose answer is the JSON text of the records.
 */
export type Shape<Type, Table extends TenantTable = TenantTable> = { table: Table; fields: Fields<Type, Table>; hasNames?: true };

export type TenantTable = PgTable & { merchantId: AnyPgColumn };

export type NamedTable = TenantTable & { id: AnyPgColumn; name: AnyPgColumn };

/** The fields of a selection, by name; a field that is a record has fields itself. */
export type Selection = { readonly [field: string]: Selection };

/**
 * SQL that yields JSON text and never NULL. A document may hold other members, in another order, than
 * are selected; everything else is exactly what is selected. The type parameter lets the compiler
 * compare it with the GraphQL field.
 */
export type Expression<Value> = { readonly sql: SQL; readonly value?: Value; readonly isDocument?: true };

type Fields<Type, Table> = {
  [Name in Exclude<keyof Type, '__typename'>]-?: (row: Table, read: Reader) => Expression<Type[Name]>;
};

/** What a field needs besides its row: whose data, which part of it, and what is noted of the whole statement. */
export type Reader = { readonly tenant: Tenant; readonly selection: Selection; readonly notes: Notes };

/**
 * A number for each further table's name, whether documents are among the fields, and the named records for
 * which marks stand in the text; undefined where their names are read with them.
 */
type Notes = { nextName: number; hasDocuments: boolean; named?: NamedRecord[] };

/** Records of which id and name are selected at most, in this order. */
export type NamedRecord = { table: NamedTable; members: readonly string[] };

export function shape<Type>() {
  return <Table extends TenantTable>(table: Table, fields: Fields<Type, Table>): Shape<Type, Table> => ({ table, fields });
}

/** The same, of records whose names may come from elsewhere. */
export function namedShape<Type>() {
  return <Table extends NamedTable>(table: Table, fields: Fields<Type, Table>): Shape<Type, Table> => ({ table, fields, hasNames: true });
}

export function reader(tenant: Tenant, selection: Selection, named?: NamedRecord[]): Reader {
  return { tenant, selection, notes: { nextName: 1, hasDocuments: false, ...(named && { named }) } };
}

/** The table under a name of its own, and the text that introduces it after `from`. */
export function named<Table extends TenantTable>(read: Reader, table: Table): { row: Table; from: SQL } {
  const name = `t${read.notes.nextName++}`;
  return { row: aliasedTable(table, name) as Table, from: sql`${sql.identifier(getTableName(table))} ${sql.identifier(name)}` };
}

/** The selected fields of one row as a JSON object. */
export function record<Type, Table extends TenantTable>(read: Reader, type: Shape<Type, Table>, row: Table): SQL {
  const members = Object.entries(read.selection).flatMap(([name, selection]) => {
    const field = (type.fields as Record<string, (row: Table, read: Reader) => Expression<unknown>>)[name];
    if (!field) return [];
    const { sql: value, isDocument } = field(row, { ...read, selection });
    if (isDocument) read.notes.hasDocuments = true;
    return [sql`${sql.raw(`'"${name}":' ||`)} ${value}`];
  });
  if (members.length === 0) return sql.raw(`'{}'`);
  return sql`'{' || ${sql.join(members, sql.raw(` || ',' || `))} || '}'`;
}

type Rows = { where: SQL[]; orderBy?: SQL[] };

/** The rows of another table that belong to this one, as a JSON array. */
export function many<Type, Table extends TenantTable>(
  read: Reader,
  type: Shape<Type, Table>,
  rows: (row: Table) => Rows,
): Expression<Type[]> {
  const { row, from } = named(read, type.table);
  return { sql: array(read, record(read, type, row), from, row, rows(row)) };
}

/** The one row of another table that belongs to this one, or null. */
export function one<Type, Table extends TenantTable>(
  read: Reader,
  type: Shape<Type, Table>,
  where: (row: Table) => SQL[],
): Expression<Type | null> {
  const { row, from } = named(read, type.table);
  const conditions = sql.join([of(read.tenant, row), ...where(row)], sql` and `);
  return { sql: sql`coalesce((select ${record(read, type, row)} from ${from} where ${conditions}), 'null')` };
}

/** The record that a foreign key of this row refers to, or null. */
export function referred<Type, Table extends TenantTable & { id: AnyPgColumn }>(read: Reader, type: Shape<Type, Table>, id: AnyPgColumn): Expression<Type | null> {
  const mark = nameMark(read, type, id);
  return mark ? { sql: sql`coalesce(${mark}, 'null')` } : one(read, type, (row) => [sql`${row.id} = ${id}`]);
}

/** One column of the rows of another table, as a JSON array of ids. */
export function ids<Table extends TenantTable>(
  read: Reader,
  table: Table,
  rows: (row: Table) => Rows & { id: AnyPgColumn },
): Expression<string[]> {
  const { row, from } = named(read, table);
  const { id: column, ...rest } = rows(row);
  return { sql: array(read, id(column as NotNull).sql, from, row, rest) };
}

/**
 * Records of another table that rows of a third link to this one, as a JSON array. Fields that the
 * link knows better than the record are given as `own`. Each record is found by itself: of a join with
 * a small table Postgres would read the whole table for each row.
 */
export function linked<Type, Link extends TenantTable, Table extends TenantTable & { id: AnyPgColumn }>(
  read: Reader,
  link: Link,
  type: Shape<Type, Table>,
  rows: (link: Link) => Rows & { id: AnyPgColumn },
  own: (link: Link) => Partial<Fields<Type, Table>> = () => ({}),
): Expression<Type[]> {
  const near = named(read, link);
  const { id, ...rest } = rows(near.row);
  const mark = nameMark(read, type, id);
  if (mark) return { sql: array(read, mark, near.from, near.row, rest) };
  const far = named(read, type.table);
  const element = record(read, { ...type, fields: { ...type.fields, ...own(near.row) } }, far.row);
  const found = sql`(select ${element} from ${far.from} where ${of(read.tenant, far.row)} and ${far.row.id} = ${id})`;
  return { sql: array(read, found, near.from, near.row, rest) };
}

/** Stands before a number of one digit and an id, for a record whose name is filled in afterwards. No JSON text has it. */
export const NAME_MARK = '\u0002';
const NAMED_RECORDS_MAX = 10;

/** The mark of a record, where it is wanted and nothing is selected but what a dictionary has. */
function nameMark<Type, Table extends TenantTable>(read: Reader, type: Shape<Type, Table>, id: AnyPgColumn): SQL | null {
  const members = Object.keys(read.selection).filter((name) => name in type.fields);
  const { named } = read.notes;
  if (!named || !type.hasNames || named.length === NAMED_RECORDS_MAX || !members.every((name) => ['id', 'name'].includes(name))) return null;
  const place = named.push({ table: type.table as NamedTable & Table, members }) - 1;
  return sql`${sql.raw(`E'\\x02${place}' ||`)} ${id}`;
}

/** One value from a row of another table, or null where there is none. */
export function lookup<Value, Table extends TenantTable>(
  read: Reader,
  table: Table,
  where: (row: Table) => SQL[],
  value: (row: Table) => Expression<Value>,
): Expression<Value | null> {
  const { row, from } = named(read, table);
  const conditions = sql.join([of(read.tenant, row), ...where(row)], sql` and `);
  return { sql: sql`coalesce((select ${value(row).sql} from ${from} where ${conditions}), 'null')` };
}

/** Whether another table has such a row of the merchant's. */
export function exists<Table extends TenantTable>(read: Reader, table: Table, where: (row: Table) => SQL[]): SQL {
  const { row, from } = named(read, table);
  return sql`exists (select from ${from} where ${sql.join([of(read.tenant, row), ...where(row)], sql` and `)})`;
}

function array(read: Reader, element: SQL, from: SQL, row: TenantTable, { where, orderBy }: Rows): SQL {
  const conditions = sql.join([of(read.tenant, row), ...where], sql` and `);
  const order = orderBy ? sql` order by ${sql.join(orderBy, sql`, `)}` : sql``;
  return sql`coalesce((select '[' || string_agg(${element}, ','${order}) || ']' from ${from} where ${conditions}), '[]')`;
}

type Column<Data> = AnyPgColumn<{ data: Data }>;
type NotNull = AnyPgColumn<{ notNull: true }>;
type Value<C extends AnyPgColumn, Data> = C['_']['notNull'] extends true ? Data : Data | null;

const orNull = (column: AnyPgColumn, text: SQL): SQL => (column.notNull ? text : sql`coalesce(${text}, 'null')`);

export function id<C extends AnyPgColumn>(column: C): Expression<Value<C, string>> {
  return { sql: orNull(column, sql`'"' || ${column} || '"'`) };
}

/** Words of ours that need no escaping. */
export function word<C extends AnyPgColumn>(column: C): Expression<Value<C, C['_']['data']>> {
  return { sql: orNull(column, sql`'"' || ${column} || '"'`) };
}

export function text<C extends Column<string>>(column: C): Expression<Value<C, string>> {
  return { sql: orNull(column, sql`to_json(${column})::text`) };
}

export function boolean<C extends Column<boolean>>(column: C): Expression<Value<C, boolean>> {
  return { sql: orNull(column, sql`${column}::text`) };
}

export function integer<C extends Column<number>>(column: C): Expression<Value<C, number>> {
  return { sql: orNull(column, sql`${column}::text`) };
}

/** Stands before a number that JSON writes otherwise than Postgres does: with an exponent, or rounded. No JSON text has it. */
export const REWRITE_MARK = '\u0001';

/** A numeric column without the zeros that its scale would add: 10.50 is 10.5. */
export function decimal<C extends Column<number>>(column: C): Expression<Value<C, number>> {
  const text = decimalText(sql`${column}`);
  return { sql: column.notNull ? text : sql`case when ${column} is null then 'null' else ${text} end` };
}

/** A number that is not null as JSON writes it, or marked to be rewritten. What is short already is not trimmed to see it. */
export function decimalText(value: SQL): SQL {
  const isUsual = sql`${value} > -1e9 and ${value} < 1e9 and (scale(${value}) <= 6 or scale(trim_scale(${value})) <= 6)`;
  return sql`case when ${isUsual} then trim_scale(${value})::text else E'\\x01' || ${value}::text end`;
}

/** Milliseconds since the epoch. */
export function timestamp<C extends AnyPgColumn>(column: C): Expression<Value<C, number>> {
  return { sql: orNull(column, sql`(extract(epoch from ${column}) * 1000)::bigint::text`) };
}

export function texts<C extends AnyPgColumn>(column: C): Expression<Value<C, string[]>> {
  return { sql: orNull(column, sql`to_json(${column})::text`) };
}

/** A value object as it was written; GraphQL picks the selected members. */
export function document<Data>(column: AnyPgColumn): Expression<Data | null> {
  return { sql: sql`coalesce(${column}::text, 'null')`, isDocument: true };
}

/** The three members that every record has. */
export function recordFields<T extends { createdAt: NotNull; updatedAt: NotNull; deleted: AnyPgColumn }>() {
  return {
    createdAt: (row: T): Expression<number> => timestamp(row.createdAt),
    updatedAt: (row: T): Expression<number> => timestamp(row.updatedAt),
    deleted: (row: T): Expression<boolean> => ({ sql: sql`${row.deleted}::text` }),
  };
}
