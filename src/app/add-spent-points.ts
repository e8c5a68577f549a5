import { sql } from 'drizzle-orm';
import { appPointBucket } from '../../drizzle/app.ts';
import type { Context, Session } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';

/**
 * Adds the points that an app has spent on one node to the bucket that all nodes share. Points are given as the time
 * that it takes to restore them. Returns the milliseconds until the bucket is full. If the database's clock was set back
 * since the last call, the bucket lacks what it lacked at that call. Otherwise the size of the step would be added.
 */
export async function addSpentPoints(
  { db }: Pick<Context, 'db'>,
  app: Pick<Session, 'merchantId' | 'authorizedAppId'>,
  spentMs: number,
): Promise<{ fullInMs: number }> {
  const nowMs = sql`extract(epoch from now())::float8 * 1000`;
  const [row] = await readRows(
    { db },
    { fullInMs: column.number },
    sql`
    insert into ${appPointBucket} (merchant_id, authorized_app_id, full_at_ms, added_at_ms)
    values (${app.merchantId}, ${app.authorizedAppId}, ${nowMs} + ${spentMs}::float8, ${nowMs})
    on conflict (merchant_id, authorized_app_id) do update
      set full_at_ms = greatest(
          least(
            ${appPointBucket.fullAtMs},
            excluded.added_at_ms + ${appPointBucket.fullAtMs} - ${appPointBucket.addedAtMs}
          ) + ${spentMs}::float8,
          excluded.full_at_ms),
        added_at_ms = excluded.added_at_ms
    returning ${appPointBucket.fullAtMs} - ${appPointBucket.addedAtMs} as "fullInMs"`,
  );
  return row!;
}
