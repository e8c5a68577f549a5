import { aliasedTable, getTableName, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type DeriveMember, selectDerivedMembers, selectJsonMembers } from './json-selection.ts';
import type { EventPart } from './event-source.ts';
import { RECORD_SEPARATOR } from './shared-records.ts';
import { type FillPlaceholder, placeholderText } from './placeholders.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';

/**
 * A GraphQL type as SQL: one expression per field. A selection and a projection compile to one statement that returns
 * the JSON text of the records.
 */
export type Projection<Type, Table extends TenantTable = TenantTable> = { table: Table; fields: Fields<Type, Table> };

export type TenantTable = PgTable & { merchantId: AnyPgColumn };

type ReferencedTable = TenantTable & { id: AnyPgColumn };

/** Selected fields by name; object fields have fields themselves. */
export type Selection = { readonly [field: string]: Selection };

/**
 * SQL that returns JSON text, possibly with placeholders, and never NULL. `event` describes fields that need more
 * than one column. The type parameter lets the compiler compare it with the GraphQL field.
 */
export type JsonExpression<Value> = { readonly sql: SQL; readonly event?: EventPart; readonly value?: Value };

type Fields<Type, Table> = {
  [Name in Exclude<keyof Type, '__typename'>]-?: (row: Table, scope: SqlScope) => JsonExpression<Type[Name]>;
};

/**
 * What a field's expression needs besides its row: the merchant, the field's own selection, and the state of the
 * compilation.
 */
export type SqlScope = { readonly tenant: Tenant; readonly selection: Selection; readonly state: CompileState };

/** The next table alias, the functions of the placeholders, and the texts that are read once per page. */
type CompileState = { nextAlias: number; fills: FillPlaceholder[]; sharedText: SQL[] };

/** The CTE with the rows of the page. Fields of the outermost record are expressions on one of its rows. */
export const PAGE = 'page';

export function projection<Type>() {
  return <Table extends TenantTable>(table: Table, fields: Fields<Type, Table>): Projection<Type, Table> => ({
    table,
    fields,
  });
}

export function sqlScope(tenant: Tenant, selection: Selection): SqlScope {
  return { tenant, selection, state: { nextAlias: 1, fills: [numberText], sharedText: [] } };
}

/** A table with an alias, and its text for `from`. */
export function aliased<Table extends TenantTable>(scope: SqlScope, table: Table): { row: Table; from: SQL } {
  const name = `t${scope.state.nextAlias++}`;
  return {
    row: aliasedTable(table, name) as Table,
    from: sql`${sql.identifier(getTableName(table))} ${sql.identifier(name)}`,
  };
}

/** The selected fields of a row as a JSON object. */
export function jsonObject<Type, Table extends TenantTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  row: Table,
): SQL {
  const members = Object.entries(scope.selection).flatMap(([name, selection]) => {
    const field = (type.fields as Record<string, (row: Table, scope: SqlScope) => JsonExpression<unknown>>)[name];
    return field ? [sql`${sql.raw(`'"${name}":' ||`)} ${field(row, { ...scope, selection }).sql}`] : [];
  });
  if (members.length === 0) return sql.raw(`'{}'`);
  return sql`'{' || ${sql.join(members, sql.raw(` || ',' || `))} || '}'`;
}

/** A value that `fill` completes in Node. */
export function placeholder<Value>(scope: SqlScope, value: SQL, fill: FillPlaceholder): JsonExpression<Value> {
  const [before, behind] = placeholderText(scope.state.fills.push(fill) - 1);
  return { sql: sql`${sql.raw(`'${before}'`)} || ${value} || ${sql.raw(`'${behind}'`)}` };
}

type Rows = { where: SQL[]; orderBy?: SQL[] };

/** Rows of another table, as a JSON array. */
export function hasMany<Type, Table extends TenantTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  rows: (row: Table) => Rows,
): JsonExpression<Type[]> {
  const { row, from } = aliased(scope, type.table);
  const found = rows(row);
  return {
    sql: array(scope, jsonObject(scope, type, row), from, row, found),
    event: { kind: 'rows', type, row, from, ...found },
  };
}

/** The row of another table, or null. */
export function hasOne<Type, Table extends TenantTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  where: (row: Table) => SQL[],
): JsonExpression<Type | null> {
  const { row, from } = aliased(scope, type.table);
  const conditions = sql.join([ownedBy(scope.tenant, row), ...where(row)], sql` and `);
  const found = sql`coalesce((select ${jsonObject(scope, type, row)} from ${from} where ${conditions}), 'null')`;
  return { sql: found, event: { kind: 'row', type, row, from, where: where(row) } };
}

/** One id column of rows of another table, as a JSON array. */
export function hasManyIds<Table extends TenantTable>(
  scope: SqlScope,
  table: Table,
  rows: (row: Table) => Rows & { id: AnyPgColumn },
): JsonExpression<string[]> {
  const { row, from } = aliased(scope, table);
  const { id: column, ...rest } = rows(row);
  return { sql: array(scope, id(column as NotNull).sql, from, row, rest) };
}

/** Adds SQL that is read once per page. Returns the index under which placeholders find its text. */
export function addSharedText(scope: SqlScope, text: SQL): number {
  return scope.state.sharedText.push(text) - 1;
}

/**
 * Records that rows of the page refer to, each read once per page. `ids` selects the ids, which may repeat. `where`
 * excludes records. Returns the index as addSharedText does.
 */
export function sharedRecords<Type, Table extends ReferencedTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  ids: SQL,
  where: (row: Table) => SQL[] = () => [],
): number {
  const { row, from } = aliased(scope, type.table);
  const conditions = sql.join(
    [ownedBy(scope.tenant, row), sql`${row.id} = any(array(${ids}))`, ...where(row)],
    sql` and `,
  );
  const separator = sql.raw(`'${RECORD_SEPARATOR}'`);
  return addSharedText(
    scope,
    sql`coalesce((
      select string_agg(${row.id} || ${jsonObject(scope, type, row)}, ${separator})
      from ${from} where ${conditions}
    ), '')`,
  );
}

/** The record that an id column refers to, or null. */
export function belongsTo<Type, Table extends ReferencedTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  column: AnyPgColumn,
  where?: (row: Table) => SQL[],
): JsonExpression<Type | null> {
  const place = sharedRecords(scope, type, sql`select ${column} from ${sql.identifier(PAGE)}`, where);
  return {
    ...placeholder(scope, sql`coalesce(${column}::text, '')`, (id, page) => page.text(place, id) ?? 'null'),
    event: { kind: 'record', type, ids: column, where },
  };
}

/** The records that an id array refers to, in its order. */
export function belongsToMany<Type, Table extends ReferencedTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  column: AnyPgColumn,
  where?: (row: Table) => SQL[],
): JsonExpression<Type[]> {
  const place = sharedRecords(scope, type, sql`select unnest(${column}) from ${sql.identifier(PAGE)}`, where);
  // Postgres writes a uuid array as {id,id}.
  const found = placeholder<Type[]>(scope, sql`${column}::text`, (ids, page) => {
    const texts = ids
      .slice(1, -1)
      .split(',')
      .flatMap((id) => page.text(place, id) ?? []);
    return `[${texts.join(',')}]`;
  });
  return { ...found, event: { kind: 'records', type, ids: column, where } };
}

/** Whether another table has such a row of this merchant. */
export function exists<Table extends TenantTable>(scope: SqlScope, table: Table, where: (row: Table) => SQL[]): SQL {
  const { row, from } = aliased(scope, table);
  return sql`exists (select from ${from} where ${sql.join([ownedBy(scope.tenant, row), ...where(row)], sql` and `)})`;
}

function array(scope: SqlScope, element: SQL, from: SQL, row: TenantTable, { where, orderBy }: Rows): SQL {
  const conditions = sql.join([ownedBy(scope.tenant, row), ...where], sql` and `);
  const order = orderBy ? sql` order by ${sql.join(orderBy, sql`, `)}` : sql``;
  const list = sql`'[' || string_agg(${element}, ','${order}) || ']'`;
  return sql`coalesce((select ${list} from ${from} where ${conditions}), '[]')`;
}

type Column<Data> = AnyPgColumn<{ data: Data }>;
type NotNull = AnyPgColumn<{ notNull: true }>;
type Value<C extends AnyPgColumn, Data> = C['_']['notNull'] extends true ? Data : Data | null;

const orNull = (column: AnyPgColumn, text: SQL): SQL => (column.notNull ? text : sql`coalesce(${text}, 'null')`);

export function id<C extends AnyPgColumn>(column: C): JsonExpression<Value<C, string>> {
  return { sql: orNull(column, sql`'"' || ${column} || '"'`) };
}

/** Values of a fixed set, which need no escaping. */
export function enumValue<C extends AnyPgColumn>(column: C): JsonExpression<Value<C, C['_']['data']>> {
  return { sql: orNull(column, sql`'"' || ${column} || '"'`) };
}

export function text<C extends Column<string>>(column: C): JsonExpression<Value<C, string>> {
  return { sql: orNull(column, sql`to_json(${column})::text`) };
}

export function boolean<C extends Column<boolean>>(column: C): JsonExpression<Value<C, boolean>> {
  return { sql: orNull(column, sql`${column}::text`) };
}

export function integer<C extends Column<number>>(column: C): JsonExpression<Value<C, number>> {
  return { sql: orNull(column, sql`${column}::text`) };
}

/** A numeric column without trailing zeros: 10.50 becomes 10.5. */
export function decimal<C extends Column<number>>(column: C): JsonExpression<Value<C, number>> {
  const text = decimalText(sql`${column}`);
  return { sql: column.notNull ? text : sql`case when ${column} is null then 'null' else ${text} end` };
}

/**
 * A non-null number as JSON text. Numbers that JavaScript writes with an exponent, or rounds, are converted in Node
 * by the first placeholder. The scale is compared first because trim_scale is slower.
 */
export function decimalText(value: SQL): SQL {
  const isShort = sql`scale(${value}) <= 6 or scale(trim_scale(${value})) <= 6`;
  const isUsual = sql`${value} > -1e9 and ${value} < 1e9 and (${isShort})`;
  const [before, behind] = placeholderText(NUMBER_PLACEHOLDER);
  const completed = sql`${sql.raw(`'${before}'`)} || ${value}::text || ${sql.raw(`'${behind}'`)}`;
  return sql`case when ${isUsual} then trim_scale(${value})::text else ${completed} end`;
}

const NUMBER_PLACEHOLDER = 0;

function numberText(number: string): string {
  return JSON.stringify(Number(number));
}

/** Milliseconds since the epoch. */
export function timestamp<C extends AnyPgColumn>(column: C): JsonExpression<Value<C, number>> {
  return { sql: orNull(column, sql`(extract(epoch from ${column}) * 1000)::bigint::text`) };
}

export function texts<C extends AnyPgColumn>(column: C): JsonExpression<Value<C, string[]>> {
  return { sql: orNull(column, sql`to_json(${column})::text`) };
}

/** A derived member, compiled for the member's own selection. */
export type DerivedMember<Entry> = (scope: SqlScope) => DeriveMember<Entry>;

/**
 * JSON stored in the shape of the GraphQL type: the selected members of it, null where missing. Members that are not
 * stored are `derived`.
 */
export function document<Data, Entry = unknown>(
  scope: SqlScope,
  column: SQL | AnyPgColumn,
  derived: Record<string, DerivedMember<Entry>> = {},
): JsonExpression<Data | null> {
  return storedDocument(scope, sql`coalesce(${column}::text, 'null')`, derived);
}

/** A list of value objects. An empty list is stored as null. */
export function documents<Data, Entry = unknown>(
  scope: SqlScope,
  column: SQL | AnyPgColumn,
  derived: Record<string, DerivedMember<Entry>> = {},
): JsonExpression<Data[]> {
  return {
    ...storedDocument<Data[], Entry>(scope, sql`coalesce(${column}::text, '[]')`, derived),
    event: { kind: 'documents', column },
  };
}

function storedDocument<Data, Entry>(
  scope: SqlScope,
  stored: SQL,
  derived: Record<string, DerivedMember<Entry>>,
): JsonExpression<Data> {
  const { selection } = scope;
  if (Object.keys(selection).length === 0) return { sql: stored };
  const wanted = Object.entries(derived).filter(([name]) => Object.hasOwn(selection, name));
  if (wanted.length === 0) return placeholder(scope, stored, selectJsonMembers(selection));
  const text = selectDerivedMembers(
    selection,
    Object.fromEntries(wanted.map(([name, derive]) => [name, derive({ ...scope, selection: selection[name]! })])),
  );
  return placeholder(scope, stored, text);
}

/** The three fields that every record has. */
export function recordFields<T extends { createdAt: NotNull; updatedAt: NotNull; deleted: AnyPgColumn }>() {
  return {
    createdAt: (row: T): JsonExpression<number> => timestamp(row.createdAt),
    updatedAt: (row: T): JsonExpression<number> => timestamp(row.updatedAt),
    deleted: (row: T): JsonExpression<boolean> => ({ sql: sql`${row.deleted}::text` }),
  };
}
