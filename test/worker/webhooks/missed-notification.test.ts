import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, it, type TestContext } from 'vitest';
import { skipOnCluster } from '../../support/cluster.ts';
import { register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

/** Longer than the worker polls often after it has found jobs. */
const PAUSE_MS = 300;
const PUSHED_WITHIN_MS = 2_000;
const ROUNDS = 4;

const { db, owner, shop, start, receiver, addCustomers } = sending();

it('a push comes within seconds of another, although the notification was rolled back', async (test: TestContext) => {
  skipOnCluster(test, 'the relay makes the jobs, and polls');
  const ctx = await shop();
  const { received, url } = await receiver();
  await register(ctx, ['store/customer/created'], { endpoint: url });
  await start(ctx);
  await addCustomers(ctx, 1);
  for (let round = 1; round <= ROUNDS; round++) {
    await until(
      () => received.length,
      (count) => count === round,
      PUSHED_WITHIN_MS,
    );
    await wait(PAUSE_MS);
    await owner()
      .transaction(async (failing) => {
        await failing.execute(
          sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'rolled back')`,
        );
        failing.rollback();
      })
      .catch(() => undefined);
    await db().execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'committed')`);
  }
  expect(received.filter(({ body }) => String(body.data).includes('rolled back'))).toEqual([]);
});
