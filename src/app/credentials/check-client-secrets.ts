import { and, isNull } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { firstKey, type SecretKey } from '../../values/secret-key.ts';
import { decryptClientSecret, formerSecretEncrypted, openClientSecret } from './client-secret.ts';

export type CheckedSecrets = {
  appCount: number;
  /** Apps with a secret that only a later key of SECRET_KEY opens. */
  outdatedIds: string[];
  /** Apps whose former secret does not open during its overlap. */
  formerLostIds: string[];
};

/**
 * Decrypts the secrets of all apps that are not revoked. Throws if a current one was encrypted with another SECRET_KEY.
 */
export async function checkClientSecrets(ctx: MerchantContext & { secretKey: SecretKey }): Promise<CheckedSecrets> {
  const apps = await ctx.db
    .select({ id: authorizedApp.id, current: authorizedApp.clientSecretEncrypted, former: formerSecretEncrypted() })
    .from(authorizedApp)
    .where(and(ownedBy(ctx, authorizedApp), isNull(authorizedApp.revokedAt)));
  const checked: CheckedSecrets = { appCount: apps.length, outdatedIds: [], formerLostIds: [] };
  for (const { id, current, former } of apps) {
    const owner = { merchantId: ctx.merchantId, authorizedAppId: id };
    decryptClientSecret(ctx.secretKey, owner, current);
    const isFormerLost = former !== null && openClientSecret(ctx.secretKey, owner, former) === null;
    if (isFormerLost) checked.formerLostIds.push(id);
    const used = former === null || isFormerLost ? [current] : [current, former];
    const isOutdated = used.some((stored) => openClientSecret(firstKey(ctx.secretKey), owner, stored) === null);
    if (isOutdated) checked.outdatedIds.push(id);
  }
  return checked;
}
