import type { DeleteStmt, InsertStmt, Node, RangeVar, SelectStmt, UpdateStmt } from '@pgsql/types';
import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** A SELECT, INSERT, UPDATE or DELETE, with its tables and conditions, but without those of its sub-selects. */
type Query = { tables: RangeVar[]; conditions: Node[]; insert?: InsertStmt };

/**
 * The aliases of tenant tables without a condition of their own: the query that names the table has no
 * `alias.merchant_id = $n`, or the merchant of an INSERT is not a parameter. Equality with a column of another table
 * and conditions inside `or` do not count.
 */
export function unboundTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  return queriesOf(statement).flatMap(({ tables, conditions, insert }) => {
    const owned = tables.filter((table) => isTenantTable(table, tenantTables));
    const isBound = (table: RangeVar): boolean =>
      insert ? insertsParameter(insert) : conditions.some((node) => bindsMerchant(node, table, owned.length === 1));
    return owned.filter((table) => !isBound(table)).map(aliasOf);
  });
}

/** The tenant tables that a statement names. */
export function namedTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  return queriesOf(statement).flatMap(({ tables }) =>
    tables.filter((table) => isTenantTable(table, tenantTables)).map((table) => table.relname!),
  );
}

function isTenantTable({ relname, schemaname = 'public' }: RangeVar, tenantTables: ReadonlySet<string>): boolean {
  return schemaname === 'public' && tenantTables.has(relname!);
}

function aliasOf({ alias, relname }: RangeVar): string {
  return alias?.aliasname ?? relname!;
}

/** All queries of a statement, those in common table expressions, sub-selects and unions too. */
function queriesOf(statement: string): Query[] {
  const queries: Query[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [kind, child] of Object.entries(node)) {
      const query = queryOf(kind, child);
      if (query) queries.push(query);
      visit(child);
    }
  };
  visit(parseSync(statement));
  return queries;
}

function queryOf(kind: string, node: object): Query | null {
  if (kind === 'SelectStmt' || isSideOfUnion(kind, node)) {
    const { fromClause, whereClause } = node as SelectStmt;
    return { tables: fromItems(fromClause).tables, ...conditionsOf(fromClause, whereClause) };
  }
  if (kind === 'UpdateStmt') {
    const { relation, fromClause, whereClause } = node as UpdateStmt;
    return { tables: [relation!, ...fromItems(fromClause).tables], ...conditionsOf(fromClause, whereClause) };
  }
  if (kind === 'DeleteStmt') {
    const { relation, usingClause, whereClause } = node as DeleteStmt;
    return { tables: [relation!, ...fromItems(usingClause).tables], ...conditionsOf(usingClause, whereClause) };
  }
  if (kind !== 'InsertStmt') return null;
  return { tables: [(node as InsertStmt).relation!], conditions: [], insert: node as InsertStmt };
}

/** The parser does not tag the sides of a union as statements. `larg` and `rarg` of a join are tagged. */
function isSideOfUnion(kind: string, node: object): boolean {
  return (kind === 'larg' || kind === 'rarg') && 'limitOption' in node;
}

/** The tables of a FROM clause, and the conditions of its joins. */
function fromItems(items: Node[] = []): { tables: RangeVar[]; joinedOn: Node[] } {
  const parts = items.map((item) => {
    if ('RangeVar' in item) return { tables: [item.RangeVar], joinedOn: [] };
    if (!('JoinExpr' in item)) return { tables: [], joinedOn: [] };
    const { larg, rarg, quals } = item.JoinExpr;
    const { tables, joinedOn } = fromItems([larg!, rarg!]);
    return { tables, joinedOn: quals ? [quals, ...joinedOn] : joinedOn };
  });
  return { tables: parts.flatMap(({ tables }) => tables), joinedOn: parts.flatMap(({ joinedOn }) => joinedOn) };
}

/** The conditions that every row must meet. */
function conditionsOf(items: Node[] | undefined, where: Node | undefined): { conditions: Node[] } {
  const { joinedOn } = fromItems(items);
  return { conditions: [...joinedOn, ...(where ? [where] : [])].flatMap(conjuncts) };
}

function conjuncts(condition: Node): Node[] {
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'AND_EXPR') return [condition];
  return condition.BoolExpr.args!.flatMap(conjuncts);
}

/** Whether the condition is `alias.merchant_id = $1`. The alias may be missing if the query has only one table. */
function bindsMerchant(condition: Node, table: RangeVar, isAlone: boolean): boolean {
  if (!('A_Expr' in condition)) return false;
  const { kind, name, lexpr, rexpr } = condition.A_Expr;
  if (kind !== 'AEXPR_OP' || namesOf(name).join() !== '=' || !lexpr || !('ColumnRef' in lexpr)) return false;
  const column = namesOf(lexpr.ColumnRef.fields);
  const isMerchant =
    column.join('.') === `${aliasOf(table)}.merchant_id` || (isAlone && column.join() === 'merchant_id');
  return isMerchant && isConstant(rexpr);
}

/**
 * Whether the column `merchant_id` of all inserted rows is a parameter, or the column of a table with the condition.
 */
function insertsParameter({ cols = [], selectStmt }: InsertStmt): boolean {
  const place = cols.findIndex((column) => 'ResTarget' in column && column.ResTarget.name === 'merchant_id');
  if (place < 0 || !selectStmt || !('SelectStmt' in selectStmt)) return false;
  const { valuesLists, targetList = [] } = selectStmt.SelectStmt;
  if (!valuesLists)
    return isTargetParameter(targetList[place]) || isBoundColumn(targetList[place], selectStmt.SelectStmt);
  return valuesLists.every((row) => 'List' in row && isParameter(row.List.items![place]));
}

/** Whether the column is `a.merchant_id` of a SELECT with the condition `a.merchant_id = $1`. */
function isBoundColumn(target: Node | undefined, { fromClause, whereClause }: SelectStmt): boolean {
  const value = target && 'ResTarget' in target ? target.ResTarget.val : undefined;
  if (!value || !('ColumnRef' in value)) return false;
  const { tables } = fromItems(fromClause);
  const { conditions } = conditionsOf(fromClause, whereClause);
  return tables.some(
    (table) =>
      namesOf(value.ColumnRef.fields).join('.') === `${aliasOf(table)}.merchant_id` &&
      conditions.some((condition) => bindsMerchant(condition, table, tables.length === 1)),
  );
}

function isTargetParameter(target: Node | undefined): boolean {
  return target !== undefined && 'ResTarget' in target && isParameter(target.ResTarget.val);
}

function isConstant(value: Node | undefined): boolean {
  return value !== undefined && (isParameter(value) || 'A_Const' in withoutCast(value));
}

function isParameter(value: Node | undefined): boolean {
  return value !== undefined && 'ParamRef' in withoutCast(value);
}

function withoutCast(value: Node): Node {
  return 'TypeCast' in value ? value.TypeCast.arg! : value;
}

function namesOf(names: Node[] = []): string[] {
  return names.map((name) => ('String' in name ? name.String.sval! : '*'));
}
