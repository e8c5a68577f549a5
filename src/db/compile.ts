import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { reader, record, type Selection, type Shape, type TenantTable } from './shape.ts';

/** Stands for the merchant while the text is made. */
const ANY_MERCHANT = 'merchant';

const dialect = new PgDialect();
const compiled = new WeakMap<Selection, Map<object, SQL>>();

/**
 * The JSON of one row as text that is made once for a selection. Its only parameter is the merchant's
 * id, which it takes from `$1`: the statement around it has to begin with that one.
 */
export function compiledRecord<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): SQL {
  const known = compiled.get(selection)?.get(type);
  if (known) return known;
  const made = sql.raw(compile(type, selection));
  if (!compiled.has(selection)) compiled.set(selection, new Map());
  compiled.get(selection)!.set(type, made);
  return made;
}

function compile<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): string {
  const { sql: text, params } = dialect.sqlToQuery(record(reader({ merchantId: ANY_MERCHANT }, selection), type, type.table));
  if (params.some((parameter) => parameter !== ANY_MERCHANT)) throw new Error('A field of a shape has a parameter besides the merchant.');
  return text.replaceAll(/\$\d+/g, '$1');
}
