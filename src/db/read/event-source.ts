import type { SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { SqlScope, TenantTable } from './projection.ts';

/**
 * How a field is computed, if it needs more than one column of its row. codegen/ generates the SQL functions of
 * events from it, which return JSON values. Reads compute the same fields as text and complete them in Node.
 */
export type EventPart = RowsPart | RecordsPart | DocumentsPart | UsesPart | ValuePart | OmittedPart;

/** Rows of another table (`rows`), or one row (`row`). */
export type RowsPart = {
  kind: 'rows' | 'row';
  type: AnyProjection;
  row: TenantTable;
  from: SQL;
  where: SQL[];
  orderBy?: SQL[];
};

/** Records by a list of ids in the row (`records`), or by one id (`record`). */
export type RecordsPart = {
  kind: 'records' | 'record';
  type: AnyProjection;
  ids: AnyPgColumn;
  where?: ((row: never) => SQL[]) | undefined;
};

/**
 * A stored JSON list (`documents`), or a stored JSON object (`document`). Events do not have the members in `omitted`.
 */
export type DocumentsPart = {
  kind: 'documents' | 'document';
  column: AnyPgColumn | SQL;
  derive?: DerivedJoin;
  omitted?: readonly string[];
};

/** Derived members of an entry, the joins that they need, and the condition of the entries that events have. */
export type DerivedJoin = (entry: SQL, scope: SqlScope) => { joins: SQL; where: SQL; members: Record<string, SQL> };

/** Records that the entries of a stored list name by `id`, extended by the `own` members of the entry. */
export type UsesPart = { kind: 'uses'; type: AnyProjection; column: AnyPgColumn; id: string; own: readonly string[] };

export type ValuePart = { kind: 'value'; sql: SQL };

/** A field that events leave out: it is newer than the event, and the members of an event never change. */
export type OmittedPart = { kind: 'omitted' };

/** A projection without its type parameters. */
export type AnyProjection = { table: TenantTable; fields: object };
