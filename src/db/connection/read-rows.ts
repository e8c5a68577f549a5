import type { SQL } from 'drizzle-orm';
import type { DatabaseContext } from './database.ts';

/** Whether a value that the driver returned is of the type of a column. */
type Column<Value> = (value: unknown) => value is Value;
export type Columns = Readonly<Record<string, Column<unknown>>>;
/** A row with the given columns. */
export type Row<Shape extends Columns> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends Column<infer Value> ? Value : never;
};

/**
 * Checks of the values that the driver returns for a column. The driver returns `uuid`, timestamps, `bigint` and
 * `numeric` as texts; a statement casts numbers to `int` or `float8` to get them as numbers.
 */
export const column = {
  unknown: (value: unknown): value is unknown => value !== undefined,
  text: (value: unknown): value is string => typeof value === 'string',
  number: (value: unknown): value is number => typeof value === 'number',
  boolean: (value: unknown): value is boolean => typeof value === 'boolean',
  /** A `json` or `jsonb` object or list, whose content is not checked. */
  json: <Value extends object>(value: unknown): value is Value => typeof value === 'object' && value !== null,
  oneOf: <const Value extends string>(values: readonly Value[]): Column<Value> => {
    return (value): value is Value => (values as readonly unknown[]).includes(value);
  },
  nullable: <Value>(isValue: Column<Value>): Column<Value | null> => {
    return (value): value is Value | null => value === null || isValue(value);
  },
};

/** Sends a statement that is written as SQL. Throws if a column is missing or has a value of another type. */
export async function readRows<Shape extends Columns>(
  { db }: DatabaseContext,
  columns: Shape,
  statement: SQL,
): Promise<Row<Shape>[]> {
  const rows: unknown = await db.execute(statement);
  const checks = Object.entries(columns);
  for (const row of rows as Record<string, unknown>[]) {
    for (const [name, isValue] of checks)
      if (!isValue(row[name]))
        throw new Error(
          `The column "${name}" is ${row[name] === null ? 'null' : typeof row[name]}, which is not expected.`,
        );
  }
  return rows as Row<Shape>[];
}

/** Sends a statement that returns only ids. */
export async function readIds(ctx: DatabaseContext, statement: SQL): Promise<string[]> {
  return (await readRows(ctx, { id: column.text }, statement)).map(({ id }) => id);
}
