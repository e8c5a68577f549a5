import { sql } from 'drizzle-orm';
import { webhook } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { MutationDeleteWebhookArgs } from '../graphql/generated/types.ts';
import { checkScopes } from './webhook-scope.ts';

/** A request needs its webhook's row: from here on none begins, and the worker gives up what is left, however much it is. */
export async function deleteWebhook(ctx: Context, args: MutationDeleteWebhookArgs): Promise<boolean> {
  const scopes = checkScopes(args.scopes, ['scopes']);
  await ctx.db.execute(sql`
    delete from ${webhook}
    where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId} and ${webhook.scope} = any(${textArray(scopes)})`);
  return true;
}
