import type { SQL } from 'drizzle-orm';
import type { Context } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';
import { render, CompiledStatement } from '../src/db/sql/compiled-statement.ts';
import { searchProducts } from '../src/product/searchProducts.ts';
import { openBenchDatabase } from './database.ts';
import { percentilesOf, timesOf } from './percentiles.ts';

const ROUNDS = 200;
const LIMIT = 20;
const STATEMENT_TIMEOUT_MS = 60_000;

const QUERIES = {
  'a barcode': '8690000001234',
  'a sku': 'SKU-000411-XL',
  'a misspelt word': 'hedphnoes',
  'three words': 'blue cotton jacket',
  'three words, one misspelt': 'blue coton jacket',
  'a word start': 'headph',
  'a word that one product in twelve has': 'jacket',
  'a word that one product in five has': 'blue',
};

const selection = {
  totalCount: {},
  hasNext: {},
  results: { id: {}, name: {}, brand: { id: {}, name: {} }, variants: { id: {}, sku: {}, prices: { sellPrice: {} } } },
};

/**
 * `node bench/search.ts [--explain]`: times of search queries on one connection, with the plan of each statement if
 * asked.
 */
const database = await openBenchDatabase();
const connection = connect(database.url, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
const ctx = { db: connection.db, merchantId: database.merchantId } as Context;
for (const [what, query] of Object.entries(QUERIES)) {
  const { totalCount } = await search(ctx, query);
  console.log(JSON.stringify({ what, query, totalCount, ...(await measure(() => search(ctx, query))) }));
  if (process.argv.includes('--explain')) await search({ ...ctx, db: explaining(connection.db) }, query);
}
await connection.close();
await database.close();

async function search(ctx: Context, query: string) {
  return await searchProducts(ctx, { input: { query, pagination: { limit: LIMIT } } }, selection);
}

async function measure(run: () => Promise<unknown>): Promise<{ p50Ms: number; p99Ms: number }> {
  const at = percentilesOf(await timesOf(ROUNDS, run), 2);
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Prints the plan of each statement before it runs. */
function explaining(db: Database): Database {
  return new Proxy(db, {
    get: (target, member) => {
      if (member !== 'execute') return Reflect.get(target, member) as unknown;
      return async (statement: SQL) => {
        const { sql: text, params } = render(statement);
        const plan = await target.execute<{ 'QUERY PLAN': string }>(
          new CompiledStatement(`explain (analyze, buffers, costs off) ${text}`, params),
        );
        console.log(plan.map((line) => `  ${line['QUERY PLAN']}`).join('\n'));
        return await target.execute(statement);
      };
    },
  });
}
