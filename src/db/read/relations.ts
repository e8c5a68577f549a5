import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { ownedBy } from '../sql/parameter.ts';
import { id, type NotNull } from './fields.ts';
import { jsonObject } from './json-object.ts';
import { type PrepareValue, RECORD_SEPARATOR } from './placeholders.ts';
import {
  aliased,
  type JsonExpression,
  PAGE,
  placeholder,
  type Projection,
  type RecordTable,
  type SqlScope,
  type TenantTable,
} from './projection.ts';

/** A table with an alias, and its text for `from`. */
type Source = ReturnType<typeof aliased>;
/** `mayBeLong`: a row can have megabytes, so the list is limited to MAX_LIST_BYTES. */
type Rows = { where: SQL[]; orderBy?: SQL[]; mayBeLong?: boolean };

/**
 * Limit of a list of records that have no limit in common. PostgreSQL would hold several copies of a longer one in memory
 * before the bytes of the response could be counted.
 */
export const MAX_LIST_BYTES = 32 * 1024 * 1024;

const MAX = sql.raw(String(MAX_LIST_BYTES));

/** Rows of another table, as a JSON array. */
export function hasMany<Type, Table extends TenantTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  rows: (row: Table) => Rows,
): JsonExpression<Type[]> {
  const { row, from } = aliased(scope, type.table);
  const found = rows(row);
  return {
    sql: array(scope, jsonObject(scope, type, row), { row, from }, found),
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
  return { sql: array(scope, id(column as NotNull).sql, { row, from }, rest) };
}

/**
 * Adds SQL that is read once per page. Returns the index under which placeholders find its text, or what `prepare` makes
 * of it.
 */
export function addSharedText(scope: SqlScope, text: SQL, prepare?: PrepareValue): number {
  const place = scope.state.sharedText.push(text) - 1;
  if (prepare) scope.state.preparations.push([place, prepare]);
  return place;
}

/**
 * Calls `add`, which adds a text, for the first field with this key in a statement. Returns the index of the text, for
 * the first field and for all others with the key. Fields with the same key must need the same text.
 */
export function addOnce(scope: SqlScope, key: string, add: () => number): number {
  const { sharedPlaces } = scope.state;
  const place = sharedPlaces.get(key) ?? add();
  sharedPlaces.set(key, place);
  return place;
}

/**
 * Records that rows of the page refer to, each read once per page. `ids` selects the ids, which may repeat. `where`
 * excludes records. Returns the index as addSharedText does.
 */
export function sharedRecords<Type, Table extends RecordTable>(
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
  const records = sql`select ${row.id} || ${jsonObject(scope, type, row)} as data from ${from} where ${conditions}`;
  const list = sql`string_agg(data, ${separator})`;
  const found = canBeLong(scope, type)
    ? aggregateLimited(records, list)
    : sql`select ${list} from (${records}) as element`;
  return addSharedText(scope, sql`coalesce((${found}), '')`);
}

/** Whether a record can have megabytes: a selected member is a stored JSON document, or is not read from one column. */
function canBeLong<Type, Table extends TenantTable>(
  { selection }: SqlScope,
  { table }: Projection<Type, Table>,
): boolean {
  const columns = getTableColumns(table);
  return Object.keys(selection).some((name) => (columns[name]?.getSQLType() ?? 'json') === 'json');
}

/** The record that an id column refers to, or null. On a page of one record there are no names to share. */
export function belongsTo<Type, Table extends RecordTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  column: AnyPgColumn,
  where?: (row: Table) => SQL[],
): JsonExpression<Type | null> {
  const event = { kind: 'record', type, ids: column, where } as const;
  if (scope.state.isSingle) {
    const one = hasOne(scope, type, (row) => [sql`${row.id} = ${column}`, ...(where?.(row) ?? [])]);
    return { sql: one.sql, event };
  }
  const place = sharedRecords(scope, type, sql`select ${column} from ${sql.identifier(PAGE)}`, where);
  const found = placeholder<Type | null>(
    scope,
    sql`coalesce(${column}::text, '')`,
    (id, page) => page.text(place, id) ?? 'null',
  );
  return { ...found, event };
}

/** The records that an id array refers to, in its order. */
export function belongsToMany<Type, Table extends RecordTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  column: AnyPgColumn,
  where?: (row: Table) => SQL[],
): JsonExpression<Type[]> {
  const event = { kind: 'records', type, ids: column, where } as const;
  if (scope.state.isSingle) return { sql: recordsInOrder(scope, type, column, where), event };
  const place = sharedRecords(scope, type, sql`select unnest(${column}) from ${sql.identifier(PAGE)}`, where);
  const found = placeholder<Type[]>(scope, sql`${column}::text`, (ids, page) => {
    let list = '[';
    // Postgres writes a uuid array as {id,id}.
    for (let start = 1; start < ids.length - 1;) {
      const comma = ids.indexOf(',', start);
      const end = comma === -1 ? ids.length - 1 : comma;
      const text = page.text(place, ids.slice(start, end));
      if (text !== undefined) list += list.length > 1 ? `,${text}` : text;
      start = end + 1;
    }
    return `${list}]`;
  });
  return { ...found, event };
}

/**
 * The records of an id array as a JSON array. A sub-select for each id finds it by the primary key: with a join,
 * PostgreSQL reads a small table as a whole, also when it is not small any more.
 */
function recordsInOrder<Type, Table extends RecordTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  column: AnyPgColumn,
  where: (row: Table) => SQL[] = () => [],
): SQL {
  const { row, from } = aliased(scope, type.table);
  const listed = sql.identifier(`l${scope.state.nextAlias++}`);
  const conditions = sql.join([ownedBy(scope.tenant, row), sql`${row.id} = ${listed}.id`, ...where(row)], sql` and `);
  const record = sql`(select ${jsonObject(scope, type, row)} from ${from} where ${conditions})`;
  const list = sql`'[' || string_agg(${record}, ',' order by ${listed}.place) || ']'`;
  return sql`coalesce((select ${list} from unnest(${column}) with ordinality as ${listed}(id, place)), '[]')`;
}

/** A condition: another table has a row of this merchant that meets the conditions of `where`. */
export function exists<Table extends TenantTable>(scope: SqlScope, table: Table, where: (row: Table) => SQL[]): SQL {
  const { row, from } = aliased(scope, table);
  return sql`exists (select from ${from} where ${sql.join([ownedBy(scope.tenant, row), ...where(row)], sql` and `)})`;
}

function array(scope: SqlScope, element: SQL, { row, from }: Source, { where, orderBy, mayBeLong }: Rows): SQL {
  const conditions = sql.join([ownedBy(scope.tenant, row), ...where], sql` and `);
  const order = orderBy ? sql` order by ${sql.join(orderBy, sql`, `)}` : sql``;
  if (mayBeLong) {
    // The rows are sorted before their JSON is made, so that PostgreSQL does not sort megabytes.
    const elements = sql`select ${element} as data
      from (select ${row}.* from ${from} where ${conditions}${order} offset 0) as ${row}`;
    return sql`coalesce('[' || (${aggregateLimited(elements, sql`string_agg(data, ',')`)}) || ']', '[]')`;
  }
  const list = sql`'[' || string_agg(${element}, ','${order}) || ']'`;
  return sql`coalesce((select ${list} from ${from} where ${conditions}), '[]')`;
}

/**
 * Aggregates the column `data` of `elements`. If the elements have more than `MAX_LIST_BYTES` together, they are only
 * counted, and the statement fails with SQLSTATE 54000.
 */
function aggregateLimited(elements: SQL, aggregate: SQL): SQL {
  return sql`
    select case when max(total) > ${MAX} then refuse_large_list(max(total))
      else ${aggregate} filter (where total <= ${MAX}) end
    from (
      select data, sum(octet_length(data)) over (rows unbounded preceding) as total
      from (${elements} offset 0) as element
    ) as counted`;
}
