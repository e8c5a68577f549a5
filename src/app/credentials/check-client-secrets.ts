import type { KeyObject } from 'node:crypto';
import { and, isNull } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { decryptClientSecret } from './client-secret.ts';

/**
 * Decrypts the secrets of all apps that are not revoked, and returns their number. Throws if one was encrypted with another
 * SECRET_KEY.
 */
export async function checkClientSecrets(ctx: MerchantContext & { secretKey: KeyObject }): Promise<number> {
  const apps = await ctx.db
    .select({ id: authorizedApp.id, stored: authorizedApp.clientSecretEncrypted })
    .from(authorizedApp)
    .where(and(ownedBy(ctx, authorizedApp), isNull(authorizedApp.revokedAt)));
  for (const { id, stored } of apps)
    decryptClientSecret(ctx.secretKey, { merchantId: ctx.merchantId, authorizedAppId: id }, stored);
  return apps.length;
}
