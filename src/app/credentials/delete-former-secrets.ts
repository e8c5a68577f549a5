import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/**
 * Deletes the former client secrets of all apps whose overlap with the new secret has ended. A former secret is refused
 * from the end of its overlap on, even before it is deleted.
 */
export async function deleteFormerSecrets({ db, across }: AcrossContext): Promise<number> {
  const isOver = sql`${authorizedApp.formerSecretUntil} <= now()`;
  const merchants = await across.rows(
    'merchantsWithFormerSecrets',
    { merchantId: column.text },
    sql`select distinct ${authorizedApp.merchantId} as "merchantId" from ${authorizedApp} where ${isOver}`,
  );
  return await forEachMerchant(db, merchants, async (ctx) => {
    const deleted = await ctx.db.execute(sql`
      update ${authorizedApp} set former_secret_encrypted = null, former_secret_until = null
      where ${ownedBy(ctx, authorizedApp)} and ${isOver} returning ${authorizedApp.id}`);
    return deleted.length;
  });
}
