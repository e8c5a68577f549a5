import { and, eq, ne, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { timestamptzInput } from '../db/read/filter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { argumentInvalid } from '../errors.ts';
import type { MutationRedeliverWebhookRangeArgs } from '../graphql/generated/types.ts';
import { requeue } from './requeue.ts';
import { checkReadable, checkScopes } from './webhook-scope.ts';

/** About as many as one transaction can queue in two seconds. */
const MAX_REDELIVERIES = 20_000;

export async function redeliverWebhookRange(ctx: Context, args: MutationRedeliverWebhookRangeArgs): Promise<boolean> {
  const [scope] = checkScopes([args.scope], ['scope']);
  checkReadable(ctx, [scope!]);
  const [from, to] = [timestamptzInput(args.from, ['from']), timestamptzInput(args.to, ['to'])];
  if (args.to < args.from) throw argumentInvalid([{ path: ['to'], message: 'must not be before from' }]);
  return await inTransaction(ctx, async (ctx) => {
    const { id, authorizedAppId, createdAt, state } = webhookDelivery;
    const found = await ctx.db
      .select({ id })
      .from(webhookDelivery)
      .where(
        and(
          ownedBy(ctx, webhookDelivery),
          eq(authorizedAppId, ctx.session.authorizedAppId),
          eq(webhookDelivery.scope, scope!),
          sql`${createdAt} between ${from}::timestamptz and ${to}::timestamptz`,
          ne(state, 'DELIVERED'),
        ),
      )
      .orderBy(id)
      .limit(MAX_REDELIVERIES + 1)
      .for('update');
    if (found.length > MAX_REDELIVERIES) {
      throw argumentInvalid([
        {
          path: ['to'],
          message: `must be earlier: more than ${MAX_REDELIVERIES.toLocaleString('en')} deliveries are in this span`,
        },
      ]);
    }
    await requeue(
      ctx,
      [scope!],
      found.map(({ id }) => id),
    );
    return true;
  });
}
