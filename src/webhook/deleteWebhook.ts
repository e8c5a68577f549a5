import { sql } from 'drizzle-orm';
import { webhook } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import type { MutationDeleteWebhookArgs } from '../graphql/generated/types.ts';
import { parseWebhookScopes } from './webhook-scope.ts';

/** A claim needs the webhook's row, so no request begins after this. The worker fails the deliveries that are left. */
export async function deleteWebhook(ctx: Context, args: MutationDeleteWebhookArgs): Promise<boolean> {
  const scopes = parseWebhookScopes(args.scopes, ['scopes']);
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`
      delete from ${webhook}
      where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId}
        and ${webhook.scope} = any(${textArray(scopes)})`);
  });
  return true;
}
