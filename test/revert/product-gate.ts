import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { until } from '../worker/webhooks/receiver.ts';

const WITHIN_MS = 600_000;

type Own = Pick<Context, 'db' | 'merchantId'>;
export type Gate = { reached(): Promise<void>; open(): Promise<void> };

/** Locks the product at this place in the order of ids. `reached`: a statement waits for this lock, not for another. */
export async function closeGate({ db, merchantId }: Own, place: number): Promise<Gate> {
  const owned = sql`merchant_id = ${merchantId}`;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<number>();
  const ended = db.transaction(async (transaction) => {
    const [row] = await transaction.execute<{ pid: number }>(sql`
        select pg_backend_pid() as pid from product where ${owned} and id = (
          select id from product where ${owned} order by id offset ${place}::int limit 1) for update`);
    close(row!.pid);
    await opened;
  });
  const pid = await closed;
  const waiting = async (): Promise<number> =>
    (
      await db.execute(sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and ${pid}::int = any(pg_blocking_pids(pid))`)
    ).length;
  return {
    reached: async () => void (await until(waiting, (count) => count > 0, WITHIN_MS)),
    open: async () => {
      open();
      await ended;
    },
  };
}
