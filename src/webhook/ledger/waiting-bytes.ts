import { type SQL, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { payloadBytes } from './payload-bytes.ts';

/**
 * Deliveries per statement. The number is small, because long changes are read to count their bytes, and because a save
 * of the webhook waits for the row lock while deliveries fail.
 */
export const BATCH_SIZE = 1_000;

export const batchSize = sql.raw(String(BATCH_SIZE));

/**
 * The newest delivery that exceeds the limit together with those after it; null without one. Found from the newest
 * backwards, because this result stays the same while another worker fails the oldest ones.
 */
export async function newestOverLimit(
  ctx: MerchantContext,
  { webhookIds, maxWaitingBytes }: { webhookIds: readonly string[]; maxWaitingBytes: number },
): Promise<string | null> {
  let remaining = maxWaitingBytes;
  for (let before: string | null = null; ;) {
    const isBefore: SQL = before === null ? sql`true` : sql`${webhookDelivery.id} < ${before}::uuid`;
    const [page] = await readRows(
      ctx,
      {
        bytes: column.number,
        count: column.number,
        firstId: column.nullable(column.text),
        overId: column.nullable(column.text),
      },
      sql`
      select coalesce(sum(page.bytes), 0)::float8 as "bytes", count(*)::int as "count", min(page.id::text) as "firstId",
        max(page.id::text) filter (where page.bytes_since > ${remaining}::float8) as "overId"
      from (
        select sized.id, sized.bytes, sum(sized.bytes) over (order by sized.id desc) as bytes_since
        from (
          select ${webhookDelivery.id}, ${payloadBytes} as bytes from ${webhookDelivery}
          where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(array(
            select newest.id from unnest(${idArray(webhookIds)}) as paused(id) cross join lateral (
              select ${webhookDelivery.id} from ${webhookDelivery}
              where ${waitsFor(ctx, sql`paused.id`)} and ${isBefore} order by ${webhookDelivery.id} desc limit ${batchSize}
            ) as newest
            order by newest.id desc limit ${batchSize}))
          limit ${batchSize}
        ) as sized
      ) as page`,
    );
    if (page!.overId !== null || page!.count < BATCH_SIZE) return page!.overId;
    remaining -= page!.bytes;
    before = page!.firstId;
  }
}

/**
 * Selects pending deliveries of the paused webhook that have had no request: those that it has begun to send get all their
 * requests. An index serves the first three conditions.
 */
export function waitsFor(ctx: MerchantContext, webhookId: SQL): SQL {
  return sql`${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.webhookId} = ${webhookId}
    and ${webhookDelivery.state} = 'PENDING' and ${webhookDelivery.claimedAt} is null
    and ${webhookDelivery.attempts} = 0`;
}
