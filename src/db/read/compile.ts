import { aliasedTable, type SQL, sql } from 'drizzle-orm';
import { PAGE, sqlScope, jsonObject, type Selection, type Projection, type TenantTable } from './projection.ts';
import type { FillPlaceholder } from './placeholders.ts';
import { render } from '../sql/statement.ts';

/** Stands for the merchant while the text is made. */
const ANY_MERCHANT = 'merchant';
/** As Drizzle writes them. */
const COLUMN_OF_PAGE = new RegExp(`"${PAGE}"\\."(\\w+)"`, 'g');
/** Statements that are kept for a selection: it is filtered, sorted and paged in few ways by turns. */
const MAX_STATEMENTS = 4;

const compiled = new WeakMap<Selection, Map<object, CompiledProjection>>();

/** A record of the page, and texts that are read once for all of them, as SQL whose only parameter is the merchant's id, `$1`. */
export type CompiledProjection = {
  readonly sql: SQL;
  readonly shared: readonly SQL[];
  readonly fills: readonly FillPlaceholder[];
  /** The columns that these read of the page. */
  readonly columns: readonly string[];
  /** Texts of the statements around it, by what they differ in. */
  readonly statements: Map<string, string>;
};

/** The JSON of one row of the page, made once for a selection. The statement around it has to begin with the merchant's id. */
export function compiledProjection<Type, Table extends TenantTable>(
  type: Projection<Type, Table>,
  selection: Selection,
): CompiledProjection {
  const found = compiled.get(selection)?.get(type);
  if (found) return found;
  const made = compile(type, selection);
  if (!compiled.has(selection)) compiled.set(selection, new Map());
  compiled.get(selection)!.set(type, made);
  return made;
}

/** The text of a statement around the record, made where it is not known. */
export function statementText({ statements }: CompiledProjection, key: string, make: () => SQL): string {
  const known = statements.get(key);
  if (known !== undefined) return known;
  const { sql: text, params } = render(make());
  if (params.length > 0) throw new Error('The parameters of a statement that is kept are in its conditions.');
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  statements.set(key, text);
  return text;
}

function compile<Type, Table extends TenantTable>(
  type: Projection<Type, Table>,
  selection: Selection,
): CompiledProjection {
  const scope = sqlScope({ merchantId: ANY_MERCHANT }, selection);
  const text = withoutParameters(jsonObject(scope, type, aliasedTable(type.table, PAGE) as Table));
  const shared = scope.state.sharedText.map(withoutParameters);
  const columns = new Set(
    [text, ...shared].flatMap((one) => Array.from(one.matchAll(COLUMN_OF_PAGE), ([, name]) => name!)),
  );
  return {
    sql: sql.raw(text),
    shared: shared.map((one) => sql.raw(one)),
    fills: scope.state.fills,
    columns: [...columns],
    statements: new Map(),
  };
}

function withoutParameters(expression: SQL): string {
  const { sql: text, params } = render(expression);
  if (params.some((parameter) => parameter !== ANY_MERCHANT))
    throw new Error('A field of a shape has a parameter besides the merchant.');
  return joined(text.replaceAll(/\$\d+/g, '$1'));
}

/** Literals that stand side by side become one: Postgres would copy the text before them for each. */
function joined(text: string): string {
  return text.replaceAll(`' || '`, '');
}
