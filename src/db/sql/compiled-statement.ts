import { type Query, SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { type DatabaseContext, statementsOf } from '../connection/database.ts';
import { unprepared } from '../connection/prepared-statements.ts';

const dialect = new PgDialect();

/** The text and the parameters that Drizzle makes of an expression. */
export function render(expression: SQL): Query {
  return dialect.sqlToQuery(expression);
}

/**
 * A complete statement with a known text, never a part of another one. Rendering the text of a page on each call
 * takes longer than sending it.
 */
export class CompiledStatement extends SQL {
  readonly text: string;
  readonly parameters: unknown[];

  constructor(text: string, parameters: unknown[]) {
    super([]);
    this.text = text;
    this.parameters = parameters;
  }

  override toQuery(): Query {
    return { sql: this.text, params: this.parameters };
  }
}

/** A statement with literal ids, which is planned for them each time it is sent. */
export function plannedForValues(statement: SQL): CompiledStatement {
  const { sql: text, params } = render(statement);
  return new CompiledStatement(unprepared(text), params);
}

/**
 * A statement, or a part of one, that is rendered once per name and pool. `values` are its parameters, in the order in
 * which `make` uses them.
 */
export function cachedSql(ctx: DatabaseContext, name: string, values: readonly string[], make: () => SQL): SQL {
  const strings = statementsOf(ctx).text(name, () => {
    const { sql: text, params } = render(make());
    if (params.length !== values.length || params.some((parameter, index) => parameter !== values[index])) {
      throw new Error(`The statement "${name}" has other parameters than were given for it.`);
    }
    const fragments = text.split(/\$\d+/);
    return Object.assign(fragments, { raw: fragments });
  });
  return sql(strings, ...values);
}

/** The text of an expression whose parameters all have the given value: `$1` wherever it is used. */
export function withOneParameter(expression: SQL, value: unknown): string {
  const { sql: text, params } = render(expression);
  if (params.some((parameter) => parameter !== value))
    throw new Error('A field of a projection has a parameter besides the merchant.');
  return withJoinedLiterals(text.replaceAll(/\$\d+/g, '$1'));
}

/** Joins adjacent string literals: Postgres copies the text for each concatenation. */
function withJoinedLiterals(text: string): string {
  return text.replaceAll(`' || '`, '');
}
