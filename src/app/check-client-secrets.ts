import type { KeyObject } from 'node:crypto';
import { authorizedApp } from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { decryptClientSecret } from './client-secret.ts';

/** How many apps' secrets open with the key; throws at one that does not, as after a change of SECRET_KEY. */
export async function checkClientSecrets(ctx: MerchantContext & { secretKey: KeyObject }): Promise<number> {
  const apps = await ctx.db
    .select({ id: authorizedApp.id, stored: authorizedApp.clientSecretEncrypted })
    .from(authorizedApp)
    .where(ownedBy(ctx, authorizedApp));
  for (const { id, stored } of apps)
    decryptClientSecret(ctx.secretKey, { merchantId: ctx.merchantId, authorizedAppId: id }, stored);
  return apps.length;
}
