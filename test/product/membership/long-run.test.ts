import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { type MembershipEvents, updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../worker/webhooks/receiver.ts';

/** How far the clock goes on each time that it is read: a run of half a minute then takes a second. */
const CLOCK_STEP_MS = 60;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async (test) => {
  skipOnCluster(test, 'a cluster refuses triggers that these tests would add');
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

async function saveMugs(of: Context): Promise<string> {
  const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['mug'] }];
  return (await saveCategory(of, { input: { name: 'Mugs', isAutomated: true, conditions } as never }, { id: {} })).id;
}

const pending = async (of: Context): Promise<number> => {
  const rows = await database.db.execute(
    sql`select from membership_pending_category where merchant_id = ${of.merchantId}`,
  );
  return rows.length;
};

/** Runs `action` during a run that lasts because another merchant always has a category to compare. */
async function duringRun(events: MembershipEvents, action: () => Promise<void>): Promise<void> {
  const busy = await createContext(database.db);
  await database.owner.execute(sql`
    create or replace function queue_again() returns trigger language plpgsql as $$ begin
      insert into membership_pending_category (merchant_id, category_id) values (old.merchant_id, old.category_id);
      return null;
    end $$`);
  await database.owner.execute(
    sql.raw(`create or replace trigger queue_again after delete on membership_pending_category for each row
      when (old.merchant_id = '${busy.merchantId}') execute function queue_again()`),
  );
  await saveMugs(busy);
  const stopping = new AbortController();
  const running = updateMemberships(database, stopping.signal, events);
  try {
    await action();
  } finally {
    stopping.abort();
    await running;
    await database.owner.execute(sql`drop trigger queue_again on membership_pending_category`);
  }
}

it('compares a new category again when an older transaction has ended, while another merchant has work', async () => {
  let mugs = '';
  await duringRun({}, async () => {
    await database.db.transaction(async (db) => {
      await db.execute(
        sql`insert into product (merchant_id, name, type) values (${ctx.merchantId}, 'Mug', 'PHYSICAL')`,
      );
      mugs = await saveMugs(ctx);
      await until(
        () => pending(ctx),
        (rows) => rows === 0,
      );
    });
    const listed = await until(
      async () => (await listProduct(ctx, { categoryIds: { eq: mugs } }, { data: { name: {} } })).data,
      ({ length }) => length > 0,
    );
    expect(listed).toEqual([{ name: 'Mug' }]);
  });
});

it('tells of a failure while another merchant has work, and tries again', async () => {
  await database.owner.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await database.owner.execute(
    sql.raw(`create trigger refuse before delete on membership_pending_category for each row
      when (old.merchant_id = '${ctx.merchantId}') execute function refuse()`),
  );
  await saveMugs(ctx);
  const told: string[] = [];
  let laterMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (laterMs += CLOCK_STEP_MS));
  try {
    await duringRun({ onFailure: ({ message }) => void told.push(message) }, async () => {
      await until(
        () => told,
        (all) => all.length > 0,
      );
      expect(told[0]).toContain(ctx.merchantId);
      await database.owner.execute(sql`drop trigger refuse on membership_pending_category`);
      await until(
        () => pending(ctx),
        (rows) => rows === 0,
      );
    });
  } finally {
    clock.mockRestore();
  }
});
