import type { KeyObject } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import type { Context } from '../context.ts';
import { of } from '../db/tenant.ts';
import { notFound } from '../errors.ts';
import { encryptClientSecret, newClientSecret } from './client-secret.ts';

/** Gives the app another secret, told here once. The old one ends at once; tokens that were issued live on. */
export async function rotateAppSecret(
  ctx: Pick<Context, 'db' | 'merchantId'> & { secretKey: KeyObject },
  { authorizedAppId }: { authorizedAppId: string },
): Promise<string> {
  const clientSecret = newClientSecret();
  const encrypted = encryptClientSecret(ctx.secretKey, { merchantId: ctx.merchantId, authorizedAppId }, clientSecret);
  const rotated = await ctx.db.execute(sql`
    update ${authorizedApp} set client_secret_encrypted = ${encrypted}, updated_at = now()
    where ${of(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId} and ${authorizedApp.revokedAt} is null
    returning ${authorizedApp.id}`);
  if (rotated.length === 0) throw notFound('AuthorizedApp', [authorizedAppId]);
  return clientSecret;
}
