import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/**
 * Whether the app is not revoked. Locks it until the end of the transaction: a revocation waits for that, and then deletes
 * the tokens and webhooks that the transaction has created too.
 */
export async function lockActiveApp(ctx: MerchantContext, authorizedAppId: string): Promise<boolean> {
  return await lock(ctx, authorizedAppId, sql`true`);
}

/**
 * The same, if the secret with which the app has authenticated, as it is stored, is still one of the app: a rotation that
 * was committed since has deleted the tokens of the old secret, and must not miss this one.
 */
export async function lockAppWithSecret(ctx: MerchantContext, authorizedAppId: string, stored: string) {
  return await lock(
    ctx,
    authorizedAppId,
    sql`${stored} in (${authorizedApp.clientSecretEncrypted}, ${authorizedApp.formerSecretEncrypted})`,
  );
}

async function lock(ctx: MerchantContext, authorizedAppId: string, condition: SQL): Promise<boolean> {
  const active = await ctx.db.execute(sql`
    select from ${authorizedApp}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}
      and ${authorizedApp.revokedAt} is null and not ${authorizedApp.deleted} and ${condition}
    for share`);
  return active.length > 0;
}
