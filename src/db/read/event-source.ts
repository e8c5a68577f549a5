import type { SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { SqlScope, TenantTable } from './projection.ts';

/**
 * What a field is made of, where that is more than one column of its row. codegen/ makes SQL functions of it that answer
 * records as JSON values, for events: the same fields as reads answer, which need a text and do the rest in Node.
 */
export type EventPart = RowsPart | RecordsPart | DocumentsPart | UsesPart | ValuePart;

/** Rows of another table, or the one there is. */
export type RowsPart = {
  kind: 'rows' | 'row';
  type: AnyProjection;
  row: TenantTable;
  from: SQL;
  where: SQL[];
  orderBy?: SQL[];
};

/** The records whose ids the row has, or the one. */
export type RecordsPart = {
  kind: 'records' | 'record';
  type: AnyProjection;
  ids: AnyPgColumn;
  where?: ((row: never) => SQL[]) | undefined;
};

/** A stored list of value objects, or one of them. */
export type DocumentsPart = { kind: 'documents' | 'document'; column: AnyPgColumn | SQL; derive?: DerivedJoin };

/** Members that are not stored in an entry, and what is joined to the entries for them. */
export type DerivedJoin = (entry: SQL, scope: SqlScope) => { joins: SQL; members: Record<string, SQL> };

/** The records that the entries of a stored list name by `id`; the entries have the `own` members. */
export type UsesPart = { kind: 'uses'; type: AnyProjection; column: AnyPgColumn; id: string; own: readonly string[] };

export type ValuePart = { kind: 'value'; sql: SQL };

/** A shape of which the compiler no longer compares the fields. */
export type AnyProjection = { table: TenantTable; fields: object };
