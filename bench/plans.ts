import { parse } from 'graphql';
import type postgres from 'postgres';
import { appScopes } from '../src/app/scopes.ts';
import type { Context } from '../src/context.ts';
import { connect, connectOnce } from '../src/db/connect.ts';
import { createExecute } from '../src/graphql/execute.ts';
import { resolvers } from '../src/graphql/resolvers.ts';
import { buildSchema, readSources } from '../src/graphql/schema.ts';
import { openBenchDatabase } from './database.ts';
import { openShop } from './shop.ts';
import type { Shop, Workload } from './workload.ts';
import { workloads } from './workloads.ts';

/**
 * `node bench/plans.ts [W1 …]`: how Postgres goes about each statement of the workloads among 100,000 products.
 * Fails where one reads a large table from end to end. Statements inside triggers are not among them.
 */
const STATEMENT_TIMEOUT_MS = 60_000;
const LARGE_TABLE_ROWS = 10_000;
const EXPLAINABLE = /^\s*(select|with|insert|update|delete)\b/i;

type Statement = { text: string; parameters: readonly unknown[] };

const names = process.argv.slice(2);
const database = await openBenchDatabase();
const client = connectOnce(database.url);
try {
  const { shop } = await openShop(database.url, database.merchantId);
  const large = await largeTables(client);
  for (const workload of workloads.filter(({ name }) => names.length === 0 || names.includes(name))) {
    for (const statement of await statementsOf(database.url, shop, workload)) await judge(workload.name, statement, large);
  }
} finally {
  await client.end();
  await database.close();
}

async function judge(workload: string, { text, parameters }: Statement, large: ReadonlySet<string>): Promise<void> {
  const lines = await client.unsafe<{ 'QUERY PLAN': string }[]>(`explain (costs off) ${text}`, parameters as postgres.ParameterOrJSON<never>[]);
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  const whole = found(plan, /Seq Scan on (\w+)/g).filter((table) => large.has(table));
  console.log(JSON.stringify({ workload, statement: text.replace(/\s+/g, ' ').trim().slice(0, 60), indexes: found(plan, / using (\w+)|Bitmap Index Scan on (\w+)/g), whole }));
  if (whole.length > 0) process.exitCode = 1;
}

function found(plan: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(plan.matchAll(pattern), ([, one, other]) => (one ?? other)!))];
}

/** What the first request of the workload sends. */
async function statementsOf(databaseUrl: string, shop: Shop, workload: Workload): Promise<Statement[]> {
  const statements: Statement[] = [];
  const onStatement = (text: string, parameters: readonly unknown[]): void => void statements.push({ text, parameters });
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onStatement });
  const schema = buildSchema(readSources(), resolvers);
  const { merchantId, authorizedAppId } = shop;
  const session = { merchantId, authorizedAppId, scopes: new Set(appScopes) };
  const contextValue = { db: connection.db, merchantId, session, requestId: 'plans', log: console } as Partial<Context>;
  const { query, variables } = workload.request(shop, 0);
  const { errors } = await createExecute(schema)({ schema, document: parse(query), variableValues: variables, contextValue });
  await connection.close();
  if (errors) throw errors[0]!;
  return statements.filter(({ text }) => EXPLAINABLE.test(text));
}

async function largeTables(client: postgres.Sql): Promise<Set<string>> {
  const rows = await client<{ name: string }[]>`select relname as name from pg_class where relkind = 'r' and reltuples > ${LARGE_TABLE_ROWS}`;
  return new Set(rows.map(({ name }) => name));
}
