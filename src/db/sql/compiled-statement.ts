import { type Query, SQL, sql } from 'drizzle-orm';
import { dialect } from '../connection/dialect.ts';

/** More than the code has. Bounds the cache if callers choose members freely. */
const MAX_CACHED_TEXTS = 1_000;

/** SQL fragments of cached texts, split at their parameters as `sql` takes them. */
const cache = new Map<string, TemplateStringsArray>();

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

/**
 * A statement, or a part of one, that is rendered once per name. `values` are its parameters, in the order in which
 * `make` uses them.
 */
export function cachedSql(name: string, values: readonly string[], make: () => SQL): SQL {
  const known = cache.get(name);
  if (known) return sql(known, ...values);
  const { sql: text, params } = render(make());
  if (params.length !== values.length || params.some((parameter, index) => parameter !== values[index])) {
    throw new Error(`The statement "${name}" has other parameters than were given for it.`);
  }
  if (cache.size >= MAX_CACHED_TEXTS) cache.clear();
  const fragments = text.split(/\$\d+/);
  const strings = Object.assign(fragments, { raw: fragments });
  cache.set(name, strings);
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
