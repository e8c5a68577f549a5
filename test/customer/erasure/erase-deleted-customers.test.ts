import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { eraseDeletedCustomers } from '../../../src/customer/erasure/erase-deleted-customers.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const KEEP_DAYS = 30;
const DUE = 230;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

async function insert(count: number, deleted: boolean, days: number, blockedDays: number | null = null): Promise<void> {
  await database.db.execute(sql`
    insert into customer (merchant_id, first_name, email, deleted, updated_at, erasure_blocked_until)
    select ${ctx.merchantId}::uuid, 'Ada', 'a' || n || '@example.com', ${deleted}::boolean,
      now() - make_interval(days => ${days}::integer), now() + make_interval(days => ${blockedDays}::integer)
    from generate_series(1, ${count}::integer) n`);
}

async function left(): Promise<object[]> {
  const rows = await database.owner.execute(sql`
    select deleted, erasure_id is not null as erased, erasure_blocked_until > now() as blocked, count(*)::int as count
    from customer where merchant_id = ${ctx.merchantId} group by 1, 2, 3 order by 1, 2, 3`);
  return [...rows];
}

it('erases customers that were deleted long ago, in slices and by several workers, and no others', async () => {
  await insert(DUE, true, KEEP_DAYS + 1);
  await insert(5, true, KEEP_DAYS - 1);
  await insert(5, false, KEEP_DAYS + 1);
  await insert(5, true, KEEP_DAYS + 1, 1);
  await insert(1, true, KEEP_DAYS + 1, -1);
  const erased = await Promise.all(
    Array.from({ length: 2 }, async () => await eraseDeletedCustomers(database, KEEP_DAYS)),
  );
  expect(erased[0]! + erased[1]!).toBe(DUE + 1);
  expect(await left()).toEqual([
    { deleted: false, erased: false, blocked: null, count: 5 },
    { deleted: true, erased: false, blocked: true, count: 5 },
    { deleted: true, erased: false, blocked: null, count: 5 },
    { deleted: true, erased: true, blocked: null, count: DUE + 1 },
  ]);
  expect(await eraseDeletedCustomers(database, KEEP_DAYS)).toBe(0);
});

/** Lets statements on the values of more than `most` customers, or on those of `slow`, fail as if they took too long. */
async function limitErasures(most: number, slow: string | null = null): Promise<void> {
  await database.owner.execute(
    sql.raw(`
    create function take_too_long() returns trigger language plpgsql as $$ begin
      if (select count(distinct record_id) > ${most} or bool_or(record_id = ${slow ? `'${slow}'::uuid` : 'null'})
          from changed) then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return null;
    end $$`),
  );
  await database.owner.execute(sql`
    create trigger take_too_long after update on change_part referencing new table as changed
    for each statement execute function take_too_long()`);
  onTestFinished(async () => void (await database.owner.execute(sql`drop function take_too_long cascade`)));
}

it('erases fewer customers at once after a slice that took too long', async (context) => {
  skipOnCluster(context, 'a trigger of the test');
  ctx = await createContext(database.db);
  await limitErasures(30);
  await insert(DUE, true, KEEP_DAYS + 1);
  expect(await eraseDeletedCustomers(database, KEEP_DAYS)).toBe(DUE);
  expect(await left()).toEqual([{ deleted: true, erased: true, blocked: null, count: DUE }]);
});

it('leaves out a customer whose erasure takes too long alone, and reports it', async (context) => {
  skipOnCluster(context, 'a trigger of the test');
  ctx = await createContext(database.db);
  await insert(1, true, KEEP_DAYS + 2);
  const [slow] = await database.owner.execute<{ id: string }>(sql`
    select id from customer where merchant_id = ${ctx.merchantId}`);
  await limitErasures(30, slow!.id);
  await insert(DUE, true, KEEP_DAYS + 1);
  await expect(eraseDeletedCustomers(database, KEEP_DAYS)).rejects.toThrow(ctx.merchantId);
  expect(await left()).toEqual([
    { deleted: true, erased: false, blocked: null, count: 1 },
    { deleted: true, erased: true, blocked: null, count: DUE },
  ]);
});
