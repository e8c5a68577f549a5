import { sql } from 'drizzle-orm';
import { accessToken, authorizedApp, signInCode, webhook } from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { moment } from '../db/sql/timestamp.ts';
import { notFound } from '../errors.ts';
import { deleteOf } from './credentials/delete-of-app.ts';

/**
 * Revokes the app and deletes its tokens, sign-in codes and webhooks. The webhooks are deleted because the triggers
 * record events for every stored webhook, also for one whose app is revoked. Idempotent.
 */
export async function revokeApp(ctx: MerchantContext, { authorizedAppId }: { authorizedAppId: string }): Promise<void> {
  const unknown = notFound('AuthorizedApp', [authorizedAppId], ['id']);
  if (!isId(authorizedAppId)) throw unknown;
  await inTransaction(ctx, async (ctx) => {
    // The codes first, because the exchange of a code locks the code, and then the app.
    await deleteOf(ctx, signInCode, authorizedAppId);
    const revoked = await ctx.db.execute(sql`
      update ${authorizedApp}
      set revoked_at = coalesce(${authorizedApp.revokedAt}, moment.at), deleted = true,
        updated_at = case when ${authorizedApp.revokedAt} is null or not ${authorizedApp.deleted} then moment.at
          else ${authorizedApp.updatedAt} end
      from ${moment}
      where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}
      returning ${authorizedApp.id}`);
    if (revoked.length === 0) throw unknown;
    await deleteOf(ctx, accessToken, authorizedAppId);
    await deleteOf(ctx, webhook, authorizedAppId);
  });
}
