import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { until } from '../worker/webhooks/receiver.ts';

const WITHIN_MS = 600_000;

type Own = Pick<Context, 'db' | 'merchantId'>;
export type Gate = { reached(): Promise<void>; open(): Promise<void> };

/** Locks the product at this place in the order of ids. `reached`: a statement waits for it. */
export async function closeGate({ db, merchantId }: Own, place: number): Promise<Gate> {
  const owned = sql`merchant_id = ${merchantId}`;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const ended = db.transaction(async (transaction) => {
    await transaction.execute(sql`
        select from product where ${owned} and id = (
          select id from product where ${owned} order by id offset ${place}::int limit 1) for update`);
    close();
    await opened;
  });
  await closed;
  const waiting = async (): Promise<number> =>
    (
      await db.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    ).length;
  return {
    reached: async () => void (await until(waiting, (count) => count > 0, WITHIN_MS)),
    open: async () => {
      open();
      await ended;
    },
  };
}
