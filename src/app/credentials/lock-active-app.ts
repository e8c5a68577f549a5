import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/**
 * Whether the app is not revoked. Locks it until the end of the transaction: a revocation waits for that, and then deletes
 * the tokens and webhooks that the transaction has created too.
 */
export async function lockActiveApp(ctx: MerchantContext, authorizedAppId: string): Promise<boolean> {
  const active = await ctx.db.execute(sql`
    select from ${authorizedApp}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}
      and ${authorizedApp.revokedAt} is null and not ${authorizedApp.deleted}
    for share`);
  return active.length > 0;
}
