import { sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { LAST_REMOVED_TABLES, REMOVED_TABLES } from '../../src/removal/removed-tables.ts';
import { removeMerchant } from '../../src/removal/remove-merchant.ts';
import { createDueWork } from '../contract/across-work.ts';
import { VolatilityScan } from '../contract/distribution/volatility-scan.ts';
import { unboundTables } from '../contract/statement-scan.ts';
import { TENANT_TABLES } from '../contract/tenant-tables.ts';
import { openImageDependencies, storedKeys } from '../image/shop.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

vi.setConfig({ testTimeout: 120_000 });

const names = [...REMOVED_TABLES, ...LAST_REMOVED_TABLES].map((table) => getTableConfig(table).name);

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  parts = await openImageDependencies();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await parts.close();
  await api.stop();
  await database.drop();
});

const remove = async (own = ctx) =>
  await removeMerchant({ db: database.db, merchantId: own.merchantId }, parts.storage, { requestsEndMs: 0 });

/** The numbers of a merchant's rows, without the tables that have none. */
async function rowsOf({ merchantId }: Context): Promise<Record<string, number>> {
  const found = [...TENANT_TABLES]
    .toSorted()
    .map(
      (name) => `select '${name}' as name, count(*)::int as count from "${name}" where merchant_id = '${merchantId}'`,
    );
  const rows = await database.owner.execute<{ name: string; count: number }>(
    sql.raw(`select * from (${found.join(' union all ')}) t where count > 0`),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

describe('the tables that a removal deletes from', () => {
  it('are all tables with a merchant', () => {
    expect(names.toSorted()).toEqual([...TENANT_TABLES].toSorted());
  });

  it('stand in the order of their foreign keys', () => {
    const wrong = [...REMOVED_TABLES, ...LAST_REMOVED_TABLES].flatMap((table) => {
      const { name, foreignKeys } = getTableConfig(table);
      const targets = foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name);
      return targets.filter((target) => names.indexOf(target) < names.indexOf(name)).map((target) => [name, target]);
    });
    expect(wrong).toEqual([]);
  });
});

it('removes all rows and pictures of the merchant, and nothing of another one', async () => {
  const other = await createContext(database.db);
  for (const own of [ctx, other]) {
    await createDueWork(api.call, own);
    await parts.storage.write(
      `${own.merchantId}/11111111-1111-1111-1111-111111111111/original`,
      Buffer.from('a'),
      'image/png',
    );
  }
  const [before, others] = [await rowsOf(ctx), await rowsOf(other)];
  expect(Object.keys(before).length).toBeGreaterThan(30);
  database.statements.length = 0;
  const { rows, objects } = await remove();
  expect(await rowsOf(ctx)).toEqual({});
  expect(await storedKeys(parts, ctx)).toEqual([]);
  expect(objects).toBe(1);
  expect(rows).toMatchObject({ customer: before['customer'], merchant: 1, variant: before['variant'] });
  expect(await rowsOf(other)).toEqual(others);
  expect(await storedKeys(parts, other)).toHaveLength(1);
  expect(database.statements.filter((text) => unboundTables(text, TENANT_TABLES).length > 0)).toEqual([]);
  const scan = new VolatilityScan(database.owner, TENANT_TABLES);
  for (const text of new Set(database.statements)) {
    if (!/\b(?:update|delete)\b/i.test(text)) continue;
    expect(await scan.breachesOf(text)).toEqual([]);
  }
});

it('records no change and writes no event, though the merchant has a history and webhooks', async (context) => {
  skipOnCluster(context, 'a trigger of the test');
  await createDueWork(api.call, ctx);
  await database.owner.execute(sql`
    create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'A row is written.'; end $$`);
  onTestFinished(async () => void (await database.owner.execute(sql`drop function refuse_row cascade`)));
  for (const table of ['change', 'change_part', 'webhook_delivery'])
    await database.owner.execute(
      sql.raw(`create trigger refuse_row before insert on "${table}" for each row
        when (new.merchant_id = '${ctx.merchantId}') execute function refuse_row()`),
    );
  await remove();
  expect(await rowsOf(ctx)).toEqual({});
});

it('removes more rows than one batch, also categories below each other', async () => {
  await database.owner.execute(sql`
    insert into customer (merchant_id, first_name) select ${ctx.merchantId}::uuid, 'C' || n from generate_series(1, 2500) n`);
  await database.owner.execute(sql`
    insert into changed_record (merchant_id, record_id, record_type, number, changed_at_ms)
    select ${ctx.merchantId}::uuid, uuid_v7(), 'CUSTOMER', 1, 0 from generate_series(1, 2500)`);
  const ids = Array.from({ length: 4 }, (_, n) => `00000000-0000-7000-8000-00000000000${n}`);
  for (const [n, id] of ids.entries())
    await database.owner.execute(sql`
      insert into category (merchant_id, id, name, parent_id)
      values (${ctx.merchantId}, ${id}, ${`Category ${n}`}, ${ids[n - 1] ?? null})`);
  const { rows } = await remove();
  expect(rows).toMatchObject({ customer: 2500, changed_record: expect.any(Number), category: 4 });
  expect(await rowsOf(ctx)).toEqual({});
});

it('removes categories that plain SQL has put into a circle', async () => {
  const [a, b] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
  await database.owner.execute(sql`
    insert into category (merchant_id, id, name) values (${ctx.merchantId}, ${a}, 'A'), (${ctx.merchantId}, ${b}, 'B')`);
  await database.owner.execute(sql`
    update category set parent_id = case when id = ${a}::uuid then ${b}::uuid else ${a}::uuid end
    where merchant_id = ${ctx.merchantId}`);
  expect((await remove()).rows).toMatchObject({ category: 2 });
  expect(await rowsOf(ctx)).toEqual({});
});

it('goes on where a killed removal has ended, and finds nothing after it', async () => {
  await createDueWork(api.call, ctx);
  const failing = {
    ...parts.storage,
    list: () => {
      throw new Error('killed');
    },
  };
  await expect(
    removeMerchant({ db: database.db, merchantId: ctx.merchantId }, failing, { requestsEndMs: 0 }),
  ).rejects.toThrow('killed');
  expect(Object.keys(await rowsOf(ctx)).toSorted()).toEqual(['authorized_app', 'merchant']);
  expect((await remove()).rows).toEqual({ authorized_app: expect.any(Number), merchant: 1 });
  expect(await remove()).toEqual({ rows: {}, objects: 0 });
});

it('removes what a request has written that was running when the apps were revoked', async () => {
  let commit!: () => void;
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const request = database.db.transaction(async (transaction) => {
    await transaction.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Late')`);
    await committed;
  });
  const removal = removeMerchant({ db: database.db, merchantId: ctx.merchantId }, parts.storage, {
    requestsEndMs: 2_000,
    onWait: commit,
  });
  const { rows } = await removal;
  await request;
  expect(rows).toMatchObject({ customer: 1 });
  expect(await rowsOf(ctx)).toEqual({});
});
