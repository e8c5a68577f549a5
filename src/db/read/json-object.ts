import { Column, is, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { AnyProjection } from './event-source.ts';
import { columnField } from './fields.ts';
import type { Field, JsonExpression, Projection, SqlScope, TenantTable } from './projection.ts';

/** The selected fields of a row as a JSON object. */
export function jsonObject<Type, Table extends TenantTable>(
  scope: SqlScope,
  type: Projection<Type, Table>,
  row: Table,
): SQL {
  const members = Object.entries(scope.selection).flatMap(([name, selection]) => {
    const field = fieldOf(type, name, row, { ...scope, selection });
    return field ? [sql`${sql.raw(`'"${name}":' ||`)} ${field.sql}`] : [];
  });
  if (members.length === 0) return sql.raw(`'{}'`);
  return sql`'{' || ${sql.join(members, sql.raw(` || ',' || `))} || '}'`;
}

/** The field's own expression, or else its column. */
export function fieldOf(
  type: AnyProjection,
  name: string,
  row: TenantTable,
  scope: SqlScope,
): JsonExpression<unknown> | undefined {
  const own = (type.fields as Record<string, Field<TenantTable, unknown>>)[name];
  if (own) return own(row, scope);
  const column = (row as unknown as Record<string, AnyPgColumn | undefined>)[name];
  if (!is(column, Column)) return undefined;
  const field = columnField(column, scope);
  if (!field) throw new Error(`The column ${name} has a type that needs an expression.`);
  return field;
}
