import { sql } from 'drizzle-orm';
import { webhook, webhookScopes } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { laterThanStored } from '../db/write/touch.ts';
import { notFound } from '../errors.ts';
import type { MutationResumeWebhookArgs, Webhook } from '../graphql/generated/types.ts';
import { checkAppsWritable, visibleApps } from './app-visibility.ts';
import { queueWaiting } from './ledger/queue-deliveries.ts';
import type { Registration } from './requeue.ts';
import { checkReadable } from './webhook-scope.ts';
import { webhookProjection } from './webhook.ts';

export async function resumeWebhook(
  ctx: Context,
  { id }: MutationResumeWebhookArgs,
  selection: Selection,
): Promise<Webhook> {
  const { saved, isResumed } = await inTransaction(ctx, async (ctx) => {
    const { scope, authorizedAppId } = await lockVisible(ctx, id);
    checkReadable(ctx, [scope]);
    checkAppsWritable(ctx, [authorizedAppId]);
    const resumed = await readIds(
      ctx,
      sql`
      update ${webhook} set status = 'ACTIVE', paused_at = null, given_up_in_a_row = 0,
        updated_at = ${laterThanStored(webhook.updatedAt)}
      where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${id} and ${webhook.status} = 'PAUSED'
      returning ${webhook.id} as "id"`,
    );
    await queueWaiting(ctx, resumed);
    const saved = await pipeline(ctx, [readRecordStep(ctx, webhookProjection, id, selection)]);
    return { saved, isResumed: resumed.length > 0 };
  });
  if (isResumed) ctx.log.info({ merchantId: ctx.merchantId, webhookId: id }, 'a webhook was resumed');
  return saved;
}

async function lockVisible(ctx: Context, id: string): Promise<Registration> {
  const unknown = notFound('Webhook', [id], ['id']);
  if (!isId(id)) throw unknown;
  const isVisible = sql.join([ownedBy(ctx, webhook), ...visibleApps(ctx, webhook.authorizedAppId)], sql` and `);
  const [found] = await readRows(
    ctx,
    { authorizedAppId: column.text, scope: column.oneOf(webhookScopes) },
    sql`
    select ${webhook.authorizedAppId} as "authorizedAppId", ${webhook.scope} as "scope" from ${webhook}
    where ${isVisible} and ${webhook.id} = ${id} for update`,
  );
  if (!found) throw unknown;
  return found;
}
