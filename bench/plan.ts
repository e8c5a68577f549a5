import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { type SentStatement, sentStatements } from './sent-statements.ts';
import type { Shop, Workload } from './workload.ts';

/** A sequential scan of fewer rows is as cheap as an index. */
const LARGE_TABLE_ROWS = 10_000;
const EXPLAINABLE = /^\s*(select|with|insert|update|delete)\b/i;

/** The plan of a statement. */
export type Plan = {
  /** The first operation and table, such as `update product`. */
  statement: string;
  /** In alphabetical order. Index-only scans are marked `only`. */
  indexes: string[];
  /** Large tables with a sequential scan. */
  whole: string[];
};

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Conflict Arbiter Indexes'?: string[];
  Operation?: string;
  Plans?: PlanNode[];
};

/** The plans of all statements of the first request, except those of triggers and those without a table. */
export async function plansOf(databaseUrl: string, shop: Shop, workload: Pick<Workload, 'request'>): Promise<Plan[]> {
  const statements = await sentStatements(databaseUrl, shop, workload);
  const client = connectOnce(databaseUrl);
  try {
    // The same setting as the service.
    await client.unsafe('set plan_cache_mode = force_generic_plan');
    const large = await largeTables(client);
    const plans: Plan[] = [];
    for (const statement of statements.filter(({ text }) => EXPLAINABLE.test(text))) {
      const nodes = await nodesOf(client, statement);
      if (nodes.some((node) => node['Relation Name'])) plans.push(summaryOf(nodes, large));
    }
    return plans;
  } finally {
    await client.end();
  }
}

async function largeTables(client: postgres.Sql): Promise<Set<string>> {
  const rows = await client<
    { name: string }[]
  >`select relname as name from pg_class where relkind = 'r' and reltuples > ${LARGE_TABLE_ROWS}`;
  return new Set(rows.map(({ name }) => name));
}

async function nodesOf(client: postgres.Sql, statement: SentStatement): Promise<PlanNode[]> {
  const { prepare, explain, deallocate } = explained(statement, '(format json)');
  await client.unsafe(prepare);
  const [row] = await client.unsafe<{ 'QUERY PLAN': string }[]>(explain);
  await client.unsafe(deallocate);
  const answer: unknown = row!['QUERY PLAN'];
  const [{ Plan: root }] = (typeof answer === 'string' ? JSON.parse(answer) : answer) as [{ Plan: PlanNode }];
  return withChildren(root);
}

/**
 * Three statements that explain a prepared statement. EXPLAIN of the statement itself would plan for the values of its
 * parameters.
 */
export function explained(
  { text, parameters }: SentStatement,
  options = '',
): { prepare: string; explain: string; deallocate: string } {
  // Numbers, booleans and texts only: lists are sent as the text of one.
  const values = parameters.map((value) =>
    value === null ? 'null' : `'${String(value as string | number | boolean).replaceAll("'", "''")}'`,
  );
  return {
    prepare: `prepare explained as ${text}`,
    explain: `explain ${options} execute explained${values.length > 0 ? `(${values.join(', ')})` : ''}`,
    deallocate: 'deallocate explained',
  };
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)];
}

function summaryOf(nodes: PlanNode[], large: ReadonlySet<string>): Plan {
  const first = nodes.find((node) => node.Operation) ?? nodes.find((node) => node['Relation Name'])!;
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!);
  return {
    statement: `${(first.Operation ?? 'select').toLowerCase()} ${first['Relation Name']}`,
    indexes: sorted(nodes.flatMap(indexesOf)),
    whole: sorted(whole.filter((table) => large.has(table))),
  };
}

/** An insert uses the index that detects conflicts. */
function indexesOf(node: PlanNode): string[] {
  const name = node['Index Name'];
  const read = name && node['Node Type'] === 'Index Only Scan' ? `${name} only` : name;
  return [...(read ? [read] : []), ...(node['Conflict Arbiter Indexes'] ?? [])];
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].sort();
}
