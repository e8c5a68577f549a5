import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { type SentStatement, sentStatements } from './sent-statements.ts';
import type { Shop, Workload } from './workload.ts';

/** Reading fewer rows than these from end to end is no dearer than an index. */
const LARGE_TABLE_ROWS = 10_000;
const EXPLAINABLE = /^\s*(select|with|insert|update|delete)\b/i;

/** How Postgres goes about a statement. */
export type Plan = {
  /** What it does to which table first, such as `update product`. */
  statement: string;
  /** In alphabetical order; those that are read without the rows behind them printProgress `only`. */
  indexes: string[];
  /** Large tables that are read from end to end. */
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

/** The plans of all that the first request of the workload sends, but for what triggers do and what reads no table. */
export async function plansOf(databaseUrl: string, shop: Shop, workload: Pick<Workload, 'request'>): Promise<Plan[]> {
  const statements = await sentStatements(databaseUrl, shop, workload);
  const client = connectOnce(databaseUrl);
  try {
    // As the service has it.
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

/** Three statements that tell the plan of a prepared one. EXPLAIN of the statement itself would plan for the values of its parameters. */
export function explained(
  { text, parameters }: SentStatement,
  options = '',
): { prepare: string; explain: string; deallocate: string } {
  // Numbers, booleans and texts: lists travel as the text of one.
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

/** An insert reads the index that tells it of the row that is there already. */
function indexesOf(node: PlanNode): string[] {
  const name = node['Index Name'];
  const read = name && node['Node Type'] === 'Index Only Scan' ? `${name} only` : name;
  return [...(read ? [read] : []), ...(node['Conflict Arbiter Indexes'] ?? [])];
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].sort();
}
