import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { reader, record, type Selection, type Shape, type TenantTable } from './shape.ts';

/** Stands for the merchant while the text is made. */
const ANY_MERCHANT = 'merchant';

const dialect = new PgDialect();
const compiled = new WeakMap<Selection, Map<object, CompiledRecord>>();

/** `isExact`: the text has the selected members and no others, in the order in which they are selected. */
export type CompiledRecord = { readonly sql: SQL; readonly isExact: boolean };

/**
 * The JSON of one row as text that is made once for a selection. Its only parameter is the merchant's
 * id, which it takes from `$1`: the statement around it has to begin with that one.
 */
export function compiledRecord<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  const known = compiled.get(selection)?.get(type);
  if (known) return known;
  const made = compile(type, selection);
  if (!compiled.has(selection)) compiled.set(selection, new Map());
  compiled.get(selection)!.set(type, made);
  return made;
}

function compile<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  const read = reader({ merchantId: ANY_MERCHANT }, selection);
  const { sql: text, params } = dialect.sqlToQuery(record(read, type, type.table));
  if (params.some((parameter) => parameter !== ANY_MERCHANT)) throw new Error('A field of a shape has a parameter besides the merchant.');
  return { sql: sql.raw(text.replaceAll(/\$\d+/g, '$1')), isExact: !read.notes.hasDocuments };
}
