import { type SQL, sql } from 'drizzle-orm';
import { render } from './statement.ts';

/** More than the code has; callers who choose members of their own cannot make it grow. */
const MAX_CACHED_TEXTS = 1_000;

const templates = new Map<string, TemplateStringsArray>();

/**
 * A statement, or a piece of one, whose text is made once for its name, as making it costs more than sending it. The values
 * are its parameters, in the order in which `make` has them.
 */
export function cachedSql(name: string, values: readonly string[], make: () => SQL): SQL {
  const known = templates.get(name);
  if (known) return sql(known, ...values);
  const { sql: text, params } = render(make());
  if (params.length !== values.length || params.some((parameter, index) => parameter !== values[index])) {
    throw new Error(`The statement "${name}" has other parameters than were given for it.`);
  }
  if (templates.size >= MAX_CACHED_TEXTS) templates.clear();
  const pieces = text.split(/\$\d+/);
  templates.set(name, Object.assign(pieces, { raw: pieces }));
  return sql(templates.get(name)!, ...values);
}
