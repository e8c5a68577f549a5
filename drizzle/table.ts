import { type BuildColumns, type BuildExtraConfigColumns, getTableColumns, getTableName, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  check,
  type PgColumnBuilderBase,
  pgTable as createTable,
  type PgTable,
  primaryKey,
  type PgTableExtraConfigValue,
  type PgTableWithColumns,
} from 'drizzle-orm/pg-core';
import { id, merchantId } from './columns.ts';

/**
 * A table in which no writer, plain SQL included, can store what the API cannot show: times outside of the years 1 to
 * 9999, NaN and infinity, and texts that a column's `enum` does not have. So reads need no code for them.
 */
export function pgTable<Name extends string, Columns extends Record<string, PgColumnBuilderBase>>(
  name: Name,
  columns: Columns,
  constraints: (t: BuildExtraConfigColumns<Name, Columns, 'pg'>) => PgTableExtraConfigValue[],
): PgTableWithColumns<{
  name: Name;
  schema: undefined;
  columns: BuildColumns<Name, Columns, 'pg'>;
  dialect: 'pg';
}> {
  const table: PgTable = createTable(name, columns, (t) => [...constraints(t), ...shownValues(table)]);
  return table as never;
}

/**
 * One constraint for all times of a table, one for all numbers and one for all enums, because PostgreSQL parses
 * constraints for each statement: an insert of one row took 24 us longer with 15 times, and 9 us longer with two.
 */
function shownValues(table: PgTable): PgTableExtraConfigValue[] {
  const name = getTableName(table);
  const times = quotedNames(table, /^timestamp/);
  const numbers = quotedNames(table, /^numeric[^[]*$/);
  const enums = enumsOf(table);
  // Null, which LEAST and GREATEST leave out, meets a constraint. PostgreSQL sorts NaN behind infinity.
  const isTime = `least(${times}) >= timestamptz '0001-01-01Z' and greatest(${times}) < timestamptz '10000-01-01Z'`;
  const isFinite = `least(${numbers}) > numeric '-Infinity' and greatest(${numbers}) < numeric 'Infinity'`;
  return [
    ...(times === '' ? [] : [check(`${name}_years_1_to_9999`, sql.raw(isTime))]),
    ...(numbers === '' ? [] : [check(`${name}_finite_numbers`, sql.raw(isFinite))]),
    ...(enums === '' ? [] : [check(`${name}_enum_values`, sql.raw(enums))]),
  ];
}

function quotedNames(table: PgTable, type: RegExp): string {
  const columns = Object.values<AnyPgColumn>(getTableColumns(table)).filter((column) => type.test(column.getSQLType()));
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

/** The condition that each column with an `enum` is null or has one of its values. */
function enumsOf(table: PgTable): string {
  return Object.values<AnyPgColumn>(getTableColumns(table))
    .flatMap(({ name, enumValues }) =>
      enumValues ? [`"${name}" in (${enumValues.map((value) => `'${value}'`).join(', ')})`] : [],
    )
    .join(' and ');
}

type KeyColumns = { merchantId: ReturnType<typeof merchantId>; id: ReturnType<typeof id> };

/** A table of records, whose primary key is the merchant and the id. */
export function recordTable<Name extends string, Columns extends Record<string, PgColumnBuilderBase>>(
  name: Name,
  columns: Columns,
  constraints: (t: BuildExtraConfigColumns<Name, KeyColumns & Columns, 'pg'>) => PgTableExtraConfigValue[] = () => [],
) {
  return pgTable<Name, KeyColumns & Columns>(name, { merchantId: merchantId(), id: id(), ...columns }, (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    ...constraints(t),
  ]);
}
