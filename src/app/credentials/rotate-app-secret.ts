import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { notFound } from '../../errors.ts';
import { encryptClientSecret, newClientSecret } from './client-secret.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type Rotation = {
  authorizedAppId: string;
  /** How long the old secret stays valid. Default: it ends at once. */
  overlapMs?: number;
};

/**
 * Replaces the client secret. Issued tokens stay valid. There is at most one former secret: a rotation during an
 * overlap ends the oldest secret.
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
  const rotated = await inTransaction(
    ctx,
    async ({ db }) =>
      await db.execute(sql`
    update ${authorizedApp} set client_secret_encrypted = ${encrypted}, ${former}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}
      and ${authorizedApp.revokedAt} is null
    returning ${authorizedApp.id}`),
  );
  if (rotated.length === 0) throw notFound('AuthorizedApp', [authorizedAppId]);
  return clientSecret;
}
