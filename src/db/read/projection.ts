import { aliasedTable, getTableName, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Tenant } from '../sql/parameter.ts';
import type { EventPart } from './event-source.ts';
import type { PlainColumnType } from './fields.ts';
import { type FillPlaceholder, placeholderText, type Preparation } from './placeholders.ts';

/**
 * A GraphQL type as SQL: one expression per field. A selection and a projection compile to one statement that returns
 * the JSON text of the records. A field that is a column of the same name and of a fitting type has no expression here:
 * `fieldOf` reads the column.
 */
export type Projection<Type, Table extends TenantTable = TenantTable> = { table: Table; fields: Fields<Type, Table> };

export type TenantTable = PgTable & { merchantId: AnyPgColumn };
export type RecordTable = TenantTable & { id: AnyPgColumn };

/** Selected fields by name; object fields have fields themselves. */
export type Selection = { readonly [field: string]: Selection };

/**
 * SQL that returns JSON text, possibly with placeholders, and never NULL. `event` describes fields that need more
 * than one column. The type parameter lets the compiler compare it with the GraphQL field.
 */
export type JsonExpression<Value> = { readonly sql: SQL; readonly event?: EventPart; readonly value?: Value };

/** The compiler names a field that is missing, unless it is plain. */
type Fields<Type, Table> = {
  [Name in Exclude<keyof Type, '__typename' | PlainFields<Type, Table>>]-?: Field<Table, Type[Name]>;
} & { [Name in PlainFields<Type, Table>]?: Field<Table, Type[Name]> };

export type Field<Table, Value> = (row: Table, scope: SqlScope) => JsonExpression<Value>;

/** Fields that have the name of a column and accept each of its values. */
type PlainFields<Type, Table> = {
  [Name in keyof Type & keyof Table]-?: PlainValue<Table[Name]> extends [Type[Name]] ? Name : never;
}[keyof Type & keyof Table];

/** The value of a column in JSON, in brackets. Timestamps are texts in Drizzle and numbers in JSON. */
type PlainValue<Column> = Column extends {
  _: { columnType: PlainColumnType; data: infer Data; notNull: infer NotNull };
}
  ? [(Column['_']['columnType'] extends 'PgTimestampString' ? number : Data) | (NotNull extends true ? never : null)]
  : unknown;

/**
 * What a field's expression needs besides its row: the merchant, the field's own selection, and the state of the
 * compilation.
 */
export type SqlScope = { readonly tenant: Tenant; readonly selection: Selection; readonly state: CompileState };

type CompileState = {
  /** Whether the page has one record at most. */
  readonly isSingle: boolean;
  nextAlias: number;
  /** The functions of the placeholders. */
  fills: FillPlaceholder[];
  /** The texts that are read once per page. */
  sharedText: SQL[];
  /** The indexes of those texts that several fields use, by their keys. */
  sharedPlaces: Map<string, number>;
  /** The functions that prepare texts. */
  preparations: Preparation[];
};

/** The CTE with the rows of the page. Fields of the outermost record are expressions on one of its rows. */
export const PAGE = 'page';

export function projection<Type>() {
  return <Table extends TenantTable>(table: Table, fields: Fields<Type, Table>): Projection<Type, Table> => ({
    table,
    fields,
  });
}

export function sqlScope(tenant: Tenant, selection: Selection, isSingle = false): SqlScope {
  return {
    tenant,
    selection,
    state: { isSingle, nextAlias: 1, fills: [numberText], sharedText: [], sharedPlaces: new Map(), preparations: [] },
  };
}

/** A table with an alias, and its text for `from`. */
export function aliased<Table extends TenantTable>(scope: SqlScope, table: Table): { row: Table; from: SQL } {
  const name = `t${scope.state.nextAlias++}`;
  return {
    row: aliasedTable(table, name) as Table,
    from: sql`${sql.identifier(getTableName(table))} ${sql.identifier(name)}`,
  };
}

/** A value that `fill` completes in Node. */
export function placeholder<Value>(scope: SqlScope, value: SQL, fill: FillPlaceholder): JsonExpression<Value> {
  const [before, behind] = placeholderText(scope.state.fills.push(fill) - 1);
  return { sql: sql`${sql.raw(`'${before}'`)} || ${value} || ${sql.raw(`'${behind}'`)}` };
}

/** The number of the placeholder for decimals, which Node writes as JavaScript does. All statements may use it. */
export const NUMBER_PLACEHOLDER = 0;

function numberText(number: string): string {
  return JSON.stringify(Number(number));
}
