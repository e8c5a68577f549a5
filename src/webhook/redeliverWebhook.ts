import { and, eq, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { notFound } from '../errors.ts';
import type { MutationRedeliverWebhookArgs } from '../graphql/generated/types.ts';
import { requeue } from './requeue.ts';
import { checkReadable } from './webhook-scope.ts';

export async function redeliverWebhook(ctx: Context, args: MutationRedeliverWebhookArgs): Promise<boolean> {
  const ids = [...new Set(args.idList)];
  return await inTransaction(ctx, async (ctx) => {
    const { id, scope, authorizedAppId } = webhookDelivery;
    const isOwn = and(ownedBy(ctx, webhookDelivery), eq(authorizedAppId, ctx.session.authorizedAppId));
    const found = await ctx.db
      .select({ id, scope })
      .from(webhookDelivery)
      .where(and(isOwn, sql`${id} = any(${idArray(ids)})`))
      .orderBy(id)
      .for('update');
    const known = new Set(found.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) throw notFound('WebhookDelivery', missing, ['idList']);
    const scopes = [...new Set(found.map(({ scope }) => scope))];
    checkReadable(ctx, scopes);
    await requeue(ctx, scopes, ids);
    return true;
  });
}
