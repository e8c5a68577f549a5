import { sql } from 'drizzle-orm';
import { webhookDelivery, webhookScopes } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { refuseUnknown } from '../errors.ts';
import type { MutationRedeliverWebhookDeliveryListArgs, WebhookRedelivery } from '../graphql/generated/types.ts';
import { checkAppsWritable, visibleApps } from './app-visibility.ts';
import { type Registration, requeue } from './requeue.ts';
import { checkReadable } from './webhook-scope.ts';

type Found = Registration & { id: string };

export async function redeliverWebhookDeliveryList(
  ctx: Context,
  args: MutationRedeliverWebhookDeliveryListArgs,
): Promise<WebhookRedelivery> {
  const ids = [...new Set(args.idList)];
  return await inTransaction(ctx, async (ctx) => {
    const found = await lockVisible(ctx, ids);
    const foundIds = found.map(({ id }) => id);
    refuseUnknown('WebhookDelivery', ids, foundIds, ['idList']);
    const registrations = distinctRegistrations(found);
    checkReadable(
      ctx,
      registrations.map(({ scope }) => scope),
    );
    checkAppsWritable(
      ctx,
      registrations.map(({ authorizedAppId }) => authorizedAppId),
    );
    return await requeue(ctx, registrations, ids, ['idList']);
  });
}

async function lockVisible(ctx: Context, ids: readonly string[]): Promise<Found[]> {
  const { id, authorizedAppId, scope } = webhookDelivery;
  const isVisible = sql.join([ownedBy(ctx, webhookDelivery), ...visibleApps(ctx, authorizedAppId)], sql` and `);
  return await readRows(
    ctx,
    { id: column.text, authorizedAppId: column.text, scope: column.oneOf(webhookScopes) },
    sql`
    select ${id} as "id", ${authorizedAppId} as "authorizedAppId", ${scope} as "scope" from ${webhookDelivery}
    where ${isVisible} and ${id} = any(${idArray(ids)}) order by ${id} for update`,
  );
}

function distinctRegistrations(found: readonly Found[]): Registration[] {
  return [...new Map(found.map((one) => [`${one.authorizedAppId} ${one.scope}`, one])).values()];
}
