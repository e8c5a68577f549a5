import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

const SCOPES = [
  'store/customer/created',
  'store/customer/updated',
  'store/product/created',
  'store/product/updated',
  'store/product/deleted',
  'store/stock/updated',
];

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

type Saved = { id: string; includeChanges: boolean; updatedAt: number; variants: { id: string }[] };

async function call<Result = Saved>(name: string, variables: object): Promise<Result> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name] as Result;
}

async function register(members: object, scopes = SCOPES): Promise<Saved[]> {
  return await call<Saved[]>('saveWebhook', { input: { endpoint: 'https://receiver.example/', scopes, ...members } });
}

type Stored = {
  changes: { changedPaths: string[] | null; previous: string | null } | null;
  truncated: string[] | null;
};

/** What the last event of a record has beside its data. */
async function lastEvent(recordId: string): Promise<Stored> {
  const rows = await database.db.execute<Stored>(sql`
    select changes, truncated from webhook_delivery
    where merchant_id = ${ctx.merchantId} and record_id = ${recordId} order by sequence desc limit 1`);
  return rows[0]!;
}

async function lastChanges(recordId: string): Promise<[string[] | null, unknown]> {
  const { changes } = await lastEvent(recordId);
  return [changes!.changedPaths, changes!.previous === null ? null : JSON.parse(changes!.previous)];
}

const mug = (prices: object[]) => ({ name: 'Mug', type: 'PHYSICAL', variants: [{ sku: 'M', prices }] });

describe('a webhook that includes changes', () => {
  it('has the changed members of a product and their former values, and none of a new one', async () => {
    await register({ includeChanges: true });
    const { id, variants } = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    expect(await lastChanges(id)).toEqual([[], {}]);
    const [first] = variants;
    const patch = { name: 'Cup', variants: [{ id: first!.id, sku: 'M', prices: [{ sellPrice: 6.5 }] }] };
    await call('updateProduct', { id, patch });
    const price = `variants.${first!.id}.prices.base.sellPrice`;
    expect(await lastChanges(id)).toEqual([['name', price], { name: 'Mug', [price]: 5 }]);
    await call('deleteProductList', { idList: [id] });
    expect(await lastChanges(id)).toEqual([['deleted'], { deleted: false }]);
  });

  it('has those of a customer and of several statements of one transaction', async () => {
    await register({ includeChanges: true });
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada', note: 'first' } });
    expect(await lastChanges(id)).toEqual([[], {}]);
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`update customer set first_name = 'B', note = 'second' where ${own}`);
      await transaction.execute(sql`update customer set first_name = 'C', note = 'first' where ${own}`);
    });
    expect(await lastChanges(id)).toEqual([['firstName'], { firstName: 'Ada' }]);
  });

  it('has the removed members of a product that plain SQL removes, and leaves no transaction behind', async () => {
    await register({ includeChanges: true });
    const { id } = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    await database.owner.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const [paths, previous] = await lastChanges(id);
    expect(paths).toContain('name');
    expect(previous).toMatchObject({ name: 'Mug' });
    expect(await database.owner.execute(sql`select from change_transaction`)).toHaveLength(0);
    expect(await database.owner.execute(sql`select from webhook_change`)).toHaveLength(0);
  });

  it('leaves the former values out first if they are too large', async () => {
    await register({ includeChanges: true });
    const { id } = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    // Each value has less than 256 KiB, so that it is recorded.
    const text = (letter: string) => letter.repeat(200_000);
    const columns = ['description', 'short_description', 'google_taxonomy_id'].map((name) => sql.identifier(name));
    const set = (letter: string) =>
      sql.join(
        columns.map((column) => sql`${column} = ${text(letter)}`),
        sql`, `,
      );
    await database.owner.execute(sql`update product set ${set('a')} where ${own}`);
    await database.owner.execute(sql`update product set ${set('b')} where ${own}`);
    const { changes, truncated } = await lastEvent(id);
    expect(changes!.previous).toBeNull();
    expect(changes!.changedPaths).toEqual(['description', 'googleTaxonomyId', 'shortDescription']);
    expect(truncated).toEqual(['previous']);
  });

  it('has neither, and says so, while the history is full', async () => {
    await register({ includeChanges: true });
    const { id } = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    await database.owner.execute(sql`update merchant set is_history_full = true where merchant_id = ${ctx.merchantId}`);
    await call('updateProduct', { id, patch: { name: 'Cup' } });
    expect(await lastChanges(id)).toEqual([null, null]);
    expect((await lastEvent(id)).truncated).toEqual(['changedPaths', 'previous']);
    const other = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    expect(await lastChanges(other.id)).toEqual([[], {}]);
    expect((await lastEvent(other.id)).truncated).toBeNull();
  });

  it('has neither, and says so, if a changed value is too large for the history', async () => {
    await register({ includeChanges: true });
    const { id } = await call('saveProduct', { input: mug([{ sellPrice: 5 }]) });
    // More than the API takes, but not more than plain SQL does.
    const large = 'a'.repeat(300_000);
    await database.owner.execute(sql`
      update product set name = 'Cup', description = ${large} where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect(await lastChanges(id)).toEqual([null, null]);
    expect((await lastEvent(id)).truncated).toEqual(['changedPaths', 'previous']);
  });

  it('has neither if the merchant has no history', async () => {
    await register({ includeChanges: true });
    await database.owner.execute(sql`update merchant set history_since = null where merchant_id = ${ctx.merchantId}`);
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
    expect(await lastChanges(id)).toEqual([null, null]);
  });
});

describe('a webhook that does not', () => {
  it('is the default, and is kept by a later save', async () => {
    const [first] = await register({}, [SCOPES[0]!]);
    expect(first!.includeChanges).toBe(false);
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
    expect(await lastEvent(id)).toEqual({ changes: null, truncated: null });
    const [on] = await register({ includeChanges: true }, [SCOPES[0]!]);
    expect(on!.includeChanges).toBe(true);
    expect(on!.updatedAt).toBeGreaterThan(first!.updatedAt);
    const [kept] = await register({}, [SCOPES[0]!]);
    expect(kept).toMatchObject({ includeChanges: true, updatedAt: on!.updatedAt });
    const [off] = await register({ includeChanges: null }, [SCOPES[0]!]);
    expect(off!.includeChanges).toBe(false);
  });
});
