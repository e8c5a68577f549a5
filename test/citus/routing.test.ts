import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { connect, type Connection, connectOnce } from '../../src/db/connection/connect.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { startOperations } from '../support/operation.ts';
import { TENANT_TABLES } from '../contract/tenant-tables.ts';

type Sent = { text: string; parameters: readonly unknown[] };

/** So many that they are on more than one node. */
const MERCHANTS = 12;

const product = (id?: string) => ({
  input: {
    ...(id && { id }),
    name: id ? 'Coat' : 'Shirt',
    type: 'PHYSICAL',
    variants: [{ sku: 'a', prices: [{ sellPrice: 1 }] }],
  },
});

let connection: Connection;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
const sent: Sent[] = [];

beforeAll(async () => {
  connection = connect(inject('servingUrl'), {
    poolSize: 2,
    statementTimeoutMs: 20_000,
    planCacheMode: 'force_custom_plan',
    onStatement: (text, parameters) => sent.push({ text, parameters }),
  });
  api = await startOperations(connection.db);
  ctx = await createContext(connection.db);
});
afterAll(async () => {
  await api.stop();
  await connection.close();
});

/** EXPLAIN of each statement on tenant tables: one task on one shard, without intermediate results. */
describe('each statement is one router task of', () => {
  it('saveProduct', async () => {
    const created = await statementsOf(() => call('saveProduct', product()));
    const { id } = (created.data as { saveProduct: { id: string } }).saveProduct;
    const updated = await statementsOf(() => call('saveProduct', product(id)));
    expect(await notRouted([...created.statements, ...updated.statements])).toEqual([]);
  });

  it('saveCustomer', async () => {
    expect(
      await notRouted((await statementsOf(() => call('saveCustomer', { input: { firstName: 'Ada' } }))).statements),
    ).toEqual([]);
  });

  it('listProduct', async () => {
    const variables = { search: 'shirt', updatedAt: { gt: 0 } };
    expect(await notRouted((await statementsOf(() => call('listProduct', {}))).statements)).toEqual([]);
    expect(await notRouted((await statementsOf(() => call('listProduct', variables))).statements)).toEqual([]);
  });
});

/** A two-phase commit records a transaction for each node that it prepares. */
describe('the coordinator prepares', () => {
  it('nothing for saveProduct and saveCustomer', async () => {
    const before = await preparedTransactions();
    await call('saveProduct', product());
    await call('saveCustomer', { input: { firstName: 'Ada' } });
    expect(await preparedTransactions()).toEqual(before);
  });

  it('a transaction that writes merchants on several nodes', async () => {
    const merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => createContext(connection.db)));
    const before = await preparedTransactions();
    await connection.db.transaction(async (transaction) => {
      for (const { merchantId } of merchants)
        await transaction.execute(sql`update merchant set store_name = 'x' where merchant_id = ${merchantId}`);
    });
    expect((await preparedTransactions()).isSupersetOf(before)).toBe(true);
    expect(await preparedTransactions()).not.toEqual(before);
  });
});

async function preparedTransactions(): Promise<Set<string>> {
  const rows = await connection.db.execute<{ gid: string }>(sql`select gid from pg_dist_transaction`);
  return new Set(rows.map(({ gid }) => gid));
}

async function call(name: string, variables: object): Promise<unknown> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data;
}

async function statementsOf(run: () => Promise<unknown>): Promise<{ data: unknown; statements: Sent[] }> {
  const before = sent.length;
  const data = await run();
  return { data, statements: sent.slice(before).filter(({ text }) => namesTenantTable(text)) };
}

function namesTenantTable(text: string): boolean {
  return [...TENANT_TABLES].some((table) => new RegExp(`\\b(?:from|into|update|join)\\s+"?${table}\\b`).test(text));
}

/** The statements whose plan is something else than one task on one shard. */
async function notRouted(statements: readonly Sent[]): Promise<string[]> {
  if (statements.length === 0) throw new Error('No statement on a tenant table was sent.');
  const client = connectOnce(inject('servingUrl'));
  drizzle(client);
  await client.unsafe("set plan_cache_mode = 'force_custom_plan'");
  const others: string[] = [];
  for (const { text, parameters } of statements) {
    const rows = await client.unsafe(`explain (costs off) ${text}`, parameters as never[]);
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    if (!plan.includes('Task Count: 1') || /Subplan|pull to coordinator/.test(plan)) others.push(`${text}\n${plan}`);
  }
  await client.end();
  return others;
}
