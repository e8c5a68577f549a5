import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';
import { nodesIn, readTree, textField, type TreeNode, type TreeValue } from './node-tree.ts';

/** A function or operator that the clause of a statement must not call. */
export type VolatilityBreach = { clause: 'SET' | 'WHERE' | 'RETURNING' | 'ON CONFLICT'; what: string };

/** The field with the oid of the called function, by node type. */
const CALLS: Record<string, string> = {
  FUNCEXPR: 'funcid',
  OPEXPR: 'opfuncid',
  DISTINCTEXPR: 'opfuncid',
  NULLIFEXPR: 'opfuncid',
  SCALARARRAYOPEXPR: 'opfuncid',
  AGGREF: 'aggfnoid',
};
/** The fields with the type of an expression. */
const TYPE_FIELDS = [
  'vartype',
  'consttype',
  'paramtype',
  'funcresulttype',
  'opresulttype',
  'casetype',
  'coalescetype',
  'resulttype',
];
const MODIFICATIONS = { UPDATE: '2', INSERT: '3', DELETE: '4' };
/** An empty field of a node. */
const NO_VALUE = '<>';
const DEFINITION_TIMEOUT_MS = 5_000;

/** From the catalogue: functions that are not immutable, and the input and output functions of types. */
type Catalogue = {
  volatility: Map<string, { name: string; kind: string }>;
  io: Map<string, { input: string; output: string }>;
  tables: Map<string, string>;
};

/**
 * Finds calls that the router planner of Citus refuses in statements that write tenant tables. PostgreSQL resolves
 * functions, operators and casts: the scan creates a function with the statement as its body, reads the parse tree from
 * the catalogue, and rolls back.
 */
export class VolatilityScan {
  readonly #owner: Database;
  readonly #tenantTables: ReadonlySet<string>;
  #catalogue: Catalogue | null = null;

  constructor(owner: Database, tenantTables: ReadonlySet<string>) {
    this.#owner = owner;
    this.#tenantTables = tenantTables;
  }

  async breachesOf(statement: string): Promise<VolatilityBreach[]> {
    this.#catalogue ??= await readCatalogue(this.#owner);
    const tree = readTree(await parseTree(this.#owner, statement));
    const breaches = [...nodesIn(tree)]
      .filter(({ tag }) => tag === 'QUERY')
      .flatMap((query) => this.#breachesIn(query));
    return [...new Map(breaches.map((breach) => [JSON.stringify(breach), breach])).values()];
  }

  #breachesIn(query: TreeNode): VolatilityBreach[] {
    if (!this.#writesTenantTable(query)) return [];
    const isUpdate = textField(query, 'commandType') === MODIFICATIONS.UPDATE;
    const conflict = query.fields.get('onConflict') ?? [];
    const where = [...nodesIn(query.fields.get('jointree') ?? [], ({ tag }) => tag === 'FROMEXPR')].flatMap(
      (node) => node.fields.get('quals') ?? [],
    );
    return [
      ...(isUpdate ? this.#irreducible(query.fields.get('targetList') ?? [], 'SET') : []),
      ...this.#irreducible(where, 'WHERE'),
      ...this.#mutable(query.fields.get('returningList') ?? [], 'RETURNING'),
      ...this.#mutable(conflict, 'ON CONFLICT'),
    ];
  }

  #writesTenantTable(query: TreeNode): boolean {
    if (!Object.values(MODIFICATIONS).includes(textField(query, 'commandType'))) return false;
    const [tables] = query.fields.get('rtable') ?? [];
    const target = (tables as TreeNode[])[Number(textField(query, 'resultRelation')) - 1]!;
    return this.#tenantTables.has(this.#catalogue!.tables.get(textField(target, 'relid')) ?? '');
  }

  /**
   * Calls that the coordinator cannot evaluate before it sends the statement: calls with columns, and calls inside CASE
   * and COALESCE. Also CASE with a value to compare, of which Citus sends a wrong text to the shard.
   */
  #irreducible(value: TreeValue, clause: VolatilityBreach['clause']): VolatilityBreach[] {
    return [...expressionsIn(value)].flatMap((node) => {
      if (node.tag === 'CASEEXPR' && textField(node, 'arg') !== NO_VALUE) return [{ clause, what: 'CASE value WHEN' }];
      const isConditional = node.tag === 'CASEEXPR' || node.tag === 'COALESCEEXPR';
      if (isConditional) return this.#mutable([...node.fields.values()], clause);
      const name = this.#mutableCall(node);
      const readsColumn = [...expressionsIn([...node.fields.values()])].some(({ tag }) => tag === 'VAR');
      const isVolatile = this.#kindOf(node) === 'v';
      return name && (readsColumn || isVolatile) ? [{ clause, what: name }] : [];
    });
  }

  #mutable(value: TreeValue, clause: VolatilityBreach['clause']): VolatilityBreach[] {
    return [...expressionsIn(value)].flatMap((node) => {
      const name = this.#mutableCall(node);
      return name ? [{ clause, what: name }] : [];
    });
  }

  /** The name of the function that a node calls, unless it is immutable. */
  #mutableCall(node: TreeNode): string | null {
    if (node.tag === 'SQLVALUEFUNCTION') return 'current_…';
    return (
      this.#functionsOf(node)
        .map((id) => this.#catalogue!.volatility.get(id)?.name)
        .find(Boolean) ?? null
    );
  }

  #kindOf(node: TreeNode): string | undefined {
    return this.#functionsOf(node)
      .map((id) => this.#catalogue!.volatility.get(id)?.kind)
      .find(Boolean);
  }

  #functionsOf(node: TreeNode): string[] {
    const { io } = this.#catalogue!;
    if (node.tag !== 'COERCEVIAIO') return node.tag in CALLS ? [textField(node, CALLS[node.tag]!)] : [];
    const [from] = (node.fields.get('arg') ?? []) as TreeNode[];
    const type = TYPE_FIELDS.map((field) => textField(from!, field)).find((text) => text !== '') ?? '';
    return [io.get(type)?.output ?? '', io.get(textField(node, 'resulttype'))?.input ?? ''];
  }
}

/** The expressions of a clause, without those of its sub-queries. */
function expressionsIn(value: TreeValue): Generator<TreeNode> {
  return nodesIn(value, ({ tag }) => tag !== 'QUERY');
}

async function readCatalogue(db: Database): Promise<Catalogue> {
  const functions = await db.execute<{ id: string; name: string; kind: string }>(sql`
    select oid::text as "id", oid::regprocedure::text as "name", provolatile as "kind" from pg_proc where provolatile <> 'i'`);
  const types = await db.execute<{ id: string; input: string; output: string }>(sql`
    select oid::text as "id", typinput::oid::text as "input", typoutput::oid::text as "output" from pg_type`);
  const tables = await db.execute<{ id: string; name: string }>(sql`
    select oid::text as "id", relname as "name" from pg_class where relnamespace = 'public'::regnamespace`);
  return {
    volatility: new Map(functions.map(({ id, ...found }) => [id, found])),
    io: new Map(types.map(({ id, ...found }) => [id, found])),
    tables: new Map(tables.map(({ id, name }) => [id, name])),
  };
}

/** The parse tree of a statement. Changes nothing in the database. */
async function parseTree(db: Database, statement: string): Promise<string> {
  let tree = '';
  const rolledBack = new Error('The definition is only read.');
  await db
    .transaction(async (transaction) => {
      await transaction.execute(sql.raw(`set local statement_timeout = ${DEFINITION_TIMEOUT_MS}`));
      await transaction.execute(sql.raw(`prepare scanned as ${statement}`));
      const [row] = await transaction.execute<{ types: string }>(sql`
        select coalesce(array_to_string(parameter_types, ','), '') as "types" from pg_prepared_statements where name = 'scanned'`);
      await transaction.execute(sql`deallocate scanned`);
      await transaction.execute(
        sql.raw(`create function scanned(${row!.types}) returns void language sql begin atomic ${statement}; end`),
      );
      const [found] = await transaction.execute<{ tree: string }>(sql`
        select prosqlbody::text as "tree" from pg_proc where proname = 'scanned'`);
      tree = found!.tree;
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  return tree;
}
