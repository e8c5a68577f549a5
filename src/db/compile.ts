import { aliasedTable, type SQL, sql } from 'drizzle-orm';
import type { Complete } from './complete-record.ts';
import { type Expression, PAGE, reader, record, type Selection, type Shape, type TenantTable } from './shape.ts';
import { render } from './statement.ts';

/** Stands for the merchant while the text is made. */
const ANY_MERCHANT = 'merchant';
/** Statements that are kept for a selection: it is filtered, sorted and paged in few ways by turns. */
const STATEMENTS_MAX = 4;

const compiled = new WeakMap<Selection, Map<object, CompiledRecord>>();

/** A record of the page, and what is read once for all of them, as SQL texts whose only parameter is the merchant's id, `$1`. */
export type CompiledRecord = {
  readonly sql: SQL;
  /** Undefined where the text has the selected members and no others, in the order in which they are selected. */
  readonly complete: Complete | undefined;
  readonly shared: readonly Expression<unknown>[];
  /** Texts of the statements around it, by what they differ in. */
  readonly statements: Map<string, string>;
};

/** The JSON of one row of the page, made once for a selection. The statement around it has to begin with the merchant's id. */
export function compiledRecord<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  const found = compiled.get(selection)?.get(type);
  if (found) return found;
  const made = compile(type, selection);
  if (!compiled.has(selection)) compiled.set(selection, new Map());
  compiled.get(selection)!.set(type, made);
  return made;
}

/** The text of a statement around the record, made where it is not known. */
export function statementText({ statements }: CompiledRecord, key: string, make: () => SQL): string {
  const known = statements.get(key);
  if (known !== undefined) return known;
  const { sql: text, params } = render(make());
  if (params.length > 0) throw new Error('The parameters of a statement that is kept are in its conditions.');
  if (statements.size >= STATEMENTS_MAX) statements.clear();
  statements.set(key, text);
  return text;
}

function compile<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  const read = reader({ merchantId: ANY_MERCHANT }, selection);
  const { sql: text, complete } = record(read, type, aliasedTable(type.table, PAGE) as Table);
  return {
    sql: withoutParameters(text),
    complete,
    shared: read.notes.shared.map((expression) => ({ ...expression, sql: withoutParameters(expression.sql) })),
    statements: new Map(),
  };
}

function withoutParameters(expression: SQL): SQL {
  const { sql: text, params } = render(expression);
  if (params.some((parameter) => parameter !== ANY_MERCHANT)) throw new Error('A field of a shape has a parameter besides the merchant.');
  return sql.raw(joined(text.replaceAll(/\$\d+/g, '$1')));
}

/** Literals that stand side by side become one: Postgres would copy the text before them for each. */
function joined(text: string): string {
  return text.replaceAll(`' || '`, '');
}
