import { sql } from 'drizzle-orm';
import { accessToken, authorizedApp, signInCode } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { notFound } from '../../errors.ts';
import { deleteOf } from './delete-of-app.ts';
import { encryptClientSecret, newClientSecret } from './client-secret.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type Rotation = {
  authorizedAppId: string;
  /** How long the old secret stays valid. Default: it ends at once. */
  overlapMs?: number;
};

/**
 * Replaces the client secret. Without an overlap the tokens and sign-in codes of the app end with the old secret: whoever
 * had it may have got them. There is at most one former secret: a rotation during an overlap ends the oldest secret.
 */
export async function rotateAppSecret(
  ctx: MerchantContext & { secretKey: SecretKey },
  { authorizedAppId, overlapMs }: Rotation,
): Promise<string> {
  const clientSecret = newClientSecret();
  const encrypted = encryptClientSecret(ctx.secretKey, { merchantId: ctx.merchantId, authorizedAppId }, clientSecret);
  const former = overlapMs
    ? sql`former_secret_encrypted = client_secret_encrypted,
      former_secret_until = now() + ${overlapMs}::bigint * interval '1 ms'`
    : sql`former_secret_encrypted = null, former_secret_until = null`;
  await inTransaction(ctx, async (ctx) => {
    // The codes first, because the exchange of a code locks the code, and then the app.
    if (!overlapMs) await deleteOf(ctx, signInCode, authorizedAppId);
    const rotated = await ctx.db.execute(sql`
      update ${authorizedApp} set client_secret_encrypted = ${encrypted}, ${former}
      where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}
        and ${authorizedApp.revokedAt} is null
      returning ${authorizedApp.id}`);
    if (rotated.length === 0) throw notFound('AuthorizedApp', [authorizedAppId]);
    if (!overlapMs) await deleteOf(ctx, accessToken, authorizedAppId);
  });
  return clientSecret;
}
