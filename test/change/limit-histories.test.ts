import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitHistories } from '../../src/change/limit-histories.ts';
import type { Context } from '../../src/context.ts';
import { measureHistories } from '../../src/http/server/component-metrics.ts';
import { Metrics } from '../../src/http/server/metrics.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

async function rename({ db, merchantId }: Context, name: string): Promise<void> {
  await db.execute(sql`update product_tag set name = ${name} where merchant_id = ${merchantId}`);
}

async function lastChange({ db, merchantId }: Context) {
  const [row] = await db.execute<{ truncated: boolean; bytes: string; parts: unknown[] }>(sql`
    select c.truncated, c.bytes, (
      select json_agg(json_build_array(p.before, p.after)) from change_part p
      where p.merchant_id = ${merchantId} and p.change_transaction_id = c.change_transaction_id
    ) as parts
    from change c where c.merchant_id = ${merchantId} order by c.id desc limit 1`);
  return { ...row!, bytes: Number(row!.bytes) };
}

it('records changes without values while a history is full, and with them again after that', async () => {
  const [large, small] = [await createContext(database.db), await createContext(database.db)];
  for (const shop of [large, small])
    await shop.db.execute(sql`insert into product_tag (merchant_id, name) values (${shop.merchantId}, 'tag')`);
  await rename(large, 'x'.repeat(5_000));
  expect((await lastChange(large)).bytes).toBeGreaterThan(5_000);
  // Other tests may use the same database: their merchants stay below the limit.
  await large.db.execute(sql`update change set bytes = 2e12 where merchant_id = ${large.merchantId}`);
  expect((await limitHistories(database, 1e12)).full).toEqual([large.merchantId]);

  await rename(large, 'full');
  expect(await lastChange(large)).toEqual({ truncated: true, bytes: 0, parts: [[null, null]] });
  await rename(small, 'small');
  expect(await lastChange(small)).toMatchObject({ truncated: false });

  expect((await limitHistories(database, 1e12)).full).toEqual([large.merchantId]);
  await large.db.execute(sql`delete from change where merchant_id = ${large.merchantId}`);
  expect((await limitHistories(database, 1e12)).full).toEqual([]);
  await rename(large, 'again');
  expect(await lastChange(large)).toMatchObject({ truncated: false, parts: [[{ name: 'full' }, { name: 'again' }]] });
});

it('records also while a history is full what a transaction deletes and restores, and nothing if it changes nothing', async () => {
  const { merchantId, db } = await createContext(database.db);
  const update = async (...changes: SQL[]) =>
    await db.transaction(async (transaction) => {
      for (const change of changes)
        await transaction.execute(sql`update product_tag set ${change} where merchant_id = ${merchantId}`);
    });
  const later = sql`updated_at = updated_at + interval '1 second'`;
  await db.execute(sql`insert into product_tag (merchant_id, name) values (${merchantId}, 'tag')`);
  await db.execute(sql`update merchant set is_history_full = true where merchant_id = ${merchantId}`);
  await update(sql`name = 'x'`, sql`deleted = true`, later);
  await update(sql`deleted = false`, sql`name = 'y'`);
  await update(sql`deleted = true`, sql`deleted = false`);
  await update(later, later);
  const changes = await db.execute(sql`
    select kind, truncated from change where merchant_id = ${merchantId} and number > 1 order by number`);
  expect(changes).toEqual(['DELETED', 'RESTORED', 'UPDATED'].map((kind) => ({ kind, truncated: true })));
});

it('is measured in slices of one merchant each, so that no statement takes longer in larger histories', async () => {
  const shop = await createContext(database.db);
  await shop.db.execute(sql`
    insert into product_tag (merchant_id, name) select ${shop.merchantId}, 'tag' || n from generate_series(1, 4) n`);
  await shop.db.execute(sql`update change set bytes = 3e11 where merchant_id = ${shop.merchantId}`);
  const whole = await limitHistories(database, 1e12);
  expect(whole.full).toEqual([shop.merchantId]);
  database.statements.length = 0;
  database.acrossStatements.length = 0;
  const sliced = await limitHistories(database, 1e12, { sliceRows: 2 });
  expect(sliced).toMatchObject({ changes: whole.changes, bytes: whole.bytes, full: whole.full });
  expect(database.acrossStatements.join()).not.toContain('"change"');
  expect(database.statements.every((text) => /"change"."merchant_id" = \$\d/.test(text))).toBe(true);
  await shop.db.execute(sql`delete from change where merchant_id = ${shop.merchantId}`);
  await limitHistories(database, 1e12);
});

it('is measured for the metrics', async () => {
  const shop = await createContext(database.db);
  await shop.db.execute(sql`insert into product_tag (merchant_id, name) values (${shop.merchantId}, 'tag')`);
  await shop.db.execute(sql`
    update change set created_at = now() - interval '1 day', bytes = 500 where merchant_id = ${shop.merchantId}`);
  const metrics = new Metrics();
  const onHistories = measureHistories(metrics);
  expect(await metrics.read()).toContain('history_changes Nan');
  onHistories(await limitHistories(database, 1e12));
  const value = (text: string, name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  const text = await metrics.read();
  expect(value(text, 'history_changes')).toBeGreaterThanOrEqual(1);
  expect(value(text, 'history_bytes')).toBeGreaterThanOrEqual(500);
  expect(value(text, 'history_oldest_change_seconds')).toBeGreaterThanOrEqual(86_400);
  expect(value(text, 'histories_full')).toBe(0);
});
