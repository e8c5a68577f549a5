import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { startOperations } from '../support/operation.ts';
import { notRouted, type Sent } from './router-plan.ts';

/** Enough that they are on more than one node. */
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

/** Checks by EXPLAIN that each statement on tenant tables is one task on one shard, without intermediate results. */
describe('each statement is one router task of', () => {
  it('saveProduct', async () => {
    const created = await statementsOf(() => call('saveProduct', product()));
    const { id } = (created.data as { saveProduct: { id: string } }).saveProduct;
    const updated = await statementsOf(() => call('saveProduct', product(id)));
    expect(await notRouted(inject('servingUrl'), [...created.statements, ...updated.statements])).toEqual([]);
  });

  it('saveCustomer', async () => {
    expect(
      await notRouted(
        inject('servingUrl'),
        (await statementsOf(() => call('saveCustomer', { input: { firstName: 'Ada' } }))).statements,
      ),
    ).toEqual([]);
  });

  it('listProduct', async () => {
    const variables = { search: 'shirt', updatedAt: { gt: 0 } };
    expect(
      await notRouted(inject('servingUrl'), (await statementsOf(() => call('listProduct', {}))).statements),
    ).toEqual([]);
    expect(
      await notRouted(inject('servingUrl'), (await statementsOf(() => call('listProduct', variables))).statements),
    ).toEqual([]);
  });
});

/** Counts the records of transactions prepared on nodes: a two-phase commit writes one for each node. */
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
  return { data, statements: sent.slice(before) };
}
