import type postgres from 'postgres';
import { connectOnce } from '../src/db/connect.ts';
import { openBenchDatabase } from './database.ts';
import { type SentStatement, sentStatements } from './sent-statements.ts';
import { openShop } from './shop.ts';
import { workloads } from './workloads.ts';

/**
 * `node bench/plans.ts [W1 …]`: how Postgres goes about each statement of the workloads among 100,000 products.
 * Fails where one reads a large table from end to end. Statements inside triggers are not among them.
 */
const LARGE_TABLE_ROWS = 10_000;
const EXPLAINABLE = /^\s*(select|with|insert|update|delete)\b/i;

const names = process.argv.slice(2);
const database = await openBenchDatabase();
const client = connectOnce(database.url);
try {
  const { shop } = await openShop(database.url, database.merchantId);
  const large = await largeTables(client);
  for (const workload of workloads.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const statements = await sentStatements(database.url, shop, workload);
    for (const statement of statements.filter(({ text }) => EXPLAINABLE.test(text))) await judge(workload.name, statement, large);
  }
} finally {
  await client.end();
  await database.close();
}

async function judge(workload: string, { text, parameters }: SentStatement, large: ReadonlySet<string>): Promise<void> {
  const lines = await client.unsafe<{ 'QUERY PLAN': string }[]>(`explain (costs off) ${text}`, parameters as postgres.ParameterOrJSON<never>[]);
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  const whole = found(plan, /Seq Scan on (\w+)/g).filter((table) => large.has(table));
  console.log(JSON.stringify({ workload, statement: text.replace(/\s+/g, ' ').trim().slice(0, 60), indexes: found(plan, / using (\w+)|Bitmap Index Scan on (\w+)/g), whole }));
  if (whole.length > 0) process.exitCode = 1;
}

function found(plan: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(plan.matchAll(pattern), ([, one, other]) => (one ?? other)!))];
}

async function largeTables(client: postgres.Sql): Promise<Set<string>> {
  const rows = await client<{ name: string }[]>`select relname as name from pg_class where relkind = 'r' and reltuples > ${LARGE_TABLE_ROWS}`;
  return new Set(rows.map(({ name }) => name));
}
