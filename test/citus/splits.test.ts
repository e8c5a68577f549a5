import { sql } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { register } from '../webhook/ledger.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { sending } from '../worker/webhooks/sending.ts';

const BEGUN_WITHIN_MS = 20_000;
/** Much less than the 15 s after which a delivery whose claim failed can be claimed again. */
const SENT_WITHIN_MS = 5_000;

const { db, shop, start, receiver, addCustomers, statesOf } = sending();

/** The claim waits for the split, and then fails with SQLSTATE 40001, because its shard no longer exists. */
it('sends a delivery soon after the shard of its merchant was split', { timeout: 120_000 }, async () => {
  const ctx = await shop();
  const { received, url } = await receiver();
  await register(ctx, ['store/customer/created'], { endpoint: url });
  await addCustomers(ctx, 1);
  const owner = connectOnce(inject('serverUrl'));
  const [session] = await owner<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const split = owner`
    select isolate_tenant_to_new_shard('merchant', ${ctx.merchantId}::uuid, 'CASCADE', 'block_writes')`.execute();
  await until(() => blocksWrites(session!.pid), Boolean, BEGUN_WITHIN_MS);
  await start(ctx);
  await split;
  expect(received).toEqual([]);
  await until(
    () => statesOf(ctx),
    ({ DELIVERED }) => DELIVERED === 1,
    SENT_WITHIN_MS,
  );
  expect(received).toHaveLength(1);
  await owner.end();
});

/** Whether a split holds the advisory lock with which Citus blocks the writes of a shard. */
async function blocksWrites(pid: number): Promise<boolean> {
  const [found] = await db().execute<{ blocks: boolean }>(sql`
    select exists (
      select from pg_locks where pid = ${pid} and locktype = 'advisory' and mode = 'ExclusiveLock' and granted
    ) as blocks`);
  return found!.blocks;
}
