import { aliasedTable, type SQL, sql } from 'drizzle-orm';
import { type DatabaseContext, statementsOf } from '../connection/database.ts';
import { jsonObject } from './json-object.ts';
import { PAGE, sqlScope, type Selection, type Projection, type TenantTable } from './projection.ts';
import type { Completion } from './placeholders.ts';
import { render, withOneParameter } from '../sql/compiled-statement.ts';

/** Placeholder value for the merchant while the text is compiled. */
const ANY_MERCHANT = 'merchant';
/** A column of the page, as Drizzle writes it. */
const COLUMN_OF_PAGE = new RegExp(`"${PAGE}"\\."(\\w+)"`, 'g');
/** Statement variants cached per selection: its combinations of filters, sort and page size are few. */
const MAX_STATEMENTS = 4;

/**
 * A selection compiled to SQL: the JSON text of one row of the page, and texts that are read once per page. The only
 * parameter is the merchant's id, `$1`.
 */
export type CompiledProjection = Completion & {
  readonly sql: SQL;
  readonly shared: readonly SQL[];
  /** The columns of the page that `sql` and `shared` use. */
  readonly columns: readonly string[];
  /** The texts of statements around the projection, by a key of all parts that differ: filters, sort and limits. */
  readonly statements: Map<string, string>;
};

/**
 * The SQL of a selection, which is compiled once per pool and then cached. It refers to the merchant's id as `$1`: the
 * statement that contains it must have this id as its first parameter. `isSingle`: the page has one record at most, so
 * that no names are shared by several.
 */
export function compiledProjection<Type, Table extends TenantTable>(
  ctx: DatabaseContext,
  type: Projection<Type, Table>,
  selection: Selection,
  isSingle = false,
): CompiledProjection {
  const compiled = statementsOf(ctx).selection<Compiled>(selection, type, () => ({}));
  return (compiled[isSingle ? 'single' : 'page'] ??= compile(type, selection, isSingle));
}

type Compiled = { page?: CompiledProjection; single?: CompiledProjection };

/** The cached text of a statement around the projection. */
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
  isSingle: boolean,
): CompiledProjection {
  const scope = sqlScope({ merchantId: ANY_MERCHANT }, selection, isSingle);
  const text = withOneParameter(jsonObject(scope, type, aliasedTable(type.table, PAGE) as Table), ANY_MERCHANT);
  const shared = scope.state.sharedText.map((text) => withOneParameter(text, ANY_MERCHANT));
  const columns = new Set(
    [text, ...shared].flatMap((one) => Array.from(one.matchAll(COLUMN_OF_PAGE), ([, name]) => name!)),
  );
  return {
    sql: sql.raw(text),
    shared: shared.map((one) => sql.raw(one)),
    fills: scope.state.fills,
    preparations: scope.state.preparations,
    columns: [...columns],
    statements: new Map(),
  };
}
