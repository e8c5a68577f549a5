import { type SQL, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { madeSinceFilter } from '../db/filter/filter.ts';
import { isAnyOf, ownedBy } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';
import type { MutationRedeliverWebhookDeliveryRangeArgs, WebhookRedelivery } from '../graphql/generated/types.ts';
import { timestamptzText } from '../values/timestamp.ts';
import { checkAppsWritable } from './app-visibility.ts';
import { type Registration, requeue } from './requeue.ts';
import { parseReadableScope } from './webhook-scope.ts';

/** Deliveries that one call may queue. One transaction queues about as many in two seconds. */
const MAX_REDELIVERIES = 20_000;

export async function redeliverWebhookDeliveryRange(
  ctx: Context,
  args: Omit<MutationRedeliverWebhookDeliveryRangeArgs, 'authorizedAppId'> & { authorizedAppId?: string | null },
): Promise<WebhookRedelivery> {
  const scope = parseReadableScope(ctx, args.scope);
  const authorizedAppId = args.authorizedAppId ?? ctx.session.authorizedAppId;
  checkAppsWritable(ctx, [authorizedAppId]);
  const span = isWithin(args);
  if (args.to < args.from) throw invalidAt(['to'], 'must not be before from');
  return await inTransaction(ctx, async (ctx) => {
    const ids = await lockUndelivered(ctx, { authorizedAppId, scope }, span);
    if (ids.length > MAX_REDELIVERIES) {
      throw invalidAt(
        ['to'],
        `must be earlier: more than ${MAX_REDELIVERIES.toLocaleString('en')} deliveries are in this span`,
      );
    }
    return await requeue(ctx, [{ authorizedAppId, scope }], ids, ['scope']);
  });
}

/** The ids are compared too, because the index of undelivered deliveries has no times. */
function isWithin({ from, to }: { from: number; to: number }): SQL {
  const { id, createdAt } = webhookDelivery;
  const first = sql`${timestamptzText(from)}::timestamptz`;
  const last = sql`${timestamptzText(to)}::timestamptz`;
  return sql.join([sql`${createdAt} between ${first} and ${last}`, ...madeSinceFilter(id, { gte: from })], sql` and `);
}

/**
 * Locks the undelivered deliveries of the range and returns their ids, at most one more than MAX_REDELIVERIES. A text
 * that is no id matches no app.
 */
async function lockUndelivered(ctx: Context, registration: Registration, span: SQL): Promise<string[]> {
  const { id, authorizedAppId, scope, state } = webhookDelivery;
  return await readIds(
    ctx,
    sql`
    select ${id} as "id" from ${webhookDelivery}
    where ${ownedBy(ctx, webhookDelivery)} and ${isAnyOf(authorizedAppId, [registration.authorizedAppId])}
      and ${scope} = ${registration.scope} and ${span} and ${state} <> 'DELIVERED'
    order by ${id} limit ${sql.raw(String(MAX_REDELIVERIES + 1))} for update`,
  );
}
