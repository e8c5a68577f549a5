import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { firstKey, type SecretKey } from '../../values/secret-key.ts';
import { encryptClientSecret, formerSecretEncrypted, openClientSecret } from './client-secret.ts';

/** `lostIds`: apps with a current secret that no key opens. They stay as they are. */
export type Reencrypted = { appCount: number; changedCount: number; lostIds: string[] };

const APP = { id: column.text, current: column.text, former: column.nullable(column.text) };

/**
 * Encrypts the secrets of the merchant's apps under the first key of SECRET_KEY, those that another of its keys opens. Apps
 * that are revoked keep theirs, which nobody can use. The rows are locked, because a rotation meanwhile would be undone.
 */
export async function reencryptClientSecrets(ctx: MerchantContext & { secretKey: SecretKey }): Promise<Reencrypted> {
  const { secretKey } = ctx;
  return await inTransaction(ctx, async (ctx) => {
    const apps = await readRows(
      ctx,
      APP,
      sql`
      select ${authorizedApp.id} as "id", ${authorizedApp.clientSecretEncrypted} as "current",
        ${formerSecretEncrypted()} as "former"
      from ${authorizedApp} where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.revokedAt} is null
      order by ${authorizedApp.id} for no key update`,
    );
    const result: Reencrypted = { appCount: apps.length, changedCount: 0, lostIds: [] };
    for (const { id, current, former } of apps) {
      const owner = { merchantId: ctx.merchantId, authorizedAppId: id };
      const renew = (stored: string): string | null => {
        if (openClientSecret(firstKey(secretKey), owner, stored) !== null) return stored;
        const secret = openClientSecret(secretKey, owner, stored);
        return secret === null ? null : encryptClientSecret(secretKey, owner, secret);
      };
      const renewed = { current: renew(current), former: former === null ? null : (renew(former) ?? former) };
      if (renewed.current === null) result.lostIds.push(id);
      const isChanged = (renewed.current ?? current) !== current || renewed.former !== former;
      if (!isChanged) continue;
      await ctx.db.execute(sql`
        update ${authorizedApp} set client_secret_encrypted = ${renewed.current ?? current},
          former_secret_encrypted = ${renewed.former}
        where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${id}`);
      result.changedCount += 1;
    }
    return result;
  });
}
