import { type SQL, sql } from 'drizzle-orm';
import { type NamedRecord, reader, record, type Selection, type Shape, type TenantTable } from './shape.ts';
import { render } from './statement.ts';

/** Stands for the merchant while the text is made. */
const ANY_MERCHANT = 'merchant';
/** Statements that are kept for a selection: it is filtered, sorted and paged in few ways by turns. */
const STATEMENTS_MAX = 4;

type Known = WeakMap<Selection, Map<object, CompiledRecord>>;

const compiled: Known = new WeakMap();
const compiledWithMarks: Known = new WeakMap();

export type CompiledRecord = {
  readonly sql: SQL;
  /** The text has the selected members and no others, in the order in which they are selected. */
  readonly isExact: boolean;
  /** The records for which marks stand in the text, to be filled in with what dictionaries know of them. */
  readonly named: readonly NamedRecord[];
  /** Texts of the statements around it, by what they differ in. */
  readonly statements: Map<string, string>;
};

/**
 * The JSON of one row as text that is made once for a selection. Its only parameter is the merchant's
 * id, which it takes from `$1`: the statement around it has to begin with that one.
 */
export function compiledRecord<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  return knownOr(compiled, type, selection, () => compile(type, selection));
}

/** The same with marks in the place of records of which a dictionary knows all that is selected. */
export function compiledRecordWithMarks<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection): CompiledRecord {
  return knownOr(compiledWithMarks, type, selection, () => compile(type, selection, []));
}

function knownOr(known: Known, type: object, selection: Selection, make: () => CompiledRecord): CompiledRecord {
  const found = known.get(selection)?.get(type);
  if (found) return found;
  const made = make();
  if (!known.has(selection)) known.set(selection, new Map());
  known.get(selection)!.set(type, made);
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

function compile<Type, Table extends TenantTable>(type: Shape<Type, Table>, selection: Selection, named?: NamedRecord[]): CompiledRecord {
  const read = reader({ merchantId: ANY_MERCHANT }, selection, named);
  const { sql: text, params } = render(record(read, type, type.table));
  if (params.some((parameter) => parameter !== ANY_MERCHANT)) throw new Error('A field of a shape has a parameter besides the merchant.');
  return { sql: sql.raw(joined(text.replaceAll(/\$\d+/g, '$1'))), isExact: !read.notes.hasDocuments, named: named ?? [], statements: new Map() };
}

/** Literals that stand side by side become one: Postgres would copy the text before them for each. */
function joined(text: string): string {
  return text.replaceAll(`' || '`, '');
}
