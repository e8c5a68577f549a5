import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';

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
  const failures = new MerchantFailures();
  let deleted = 0;
  for (const ctx of merchants) {
    const rows = await failures.attempt(ctx.merchantId, () =>
      db.execute(sql`
        update ${authorizedApp} set former_secret_encrypted = null, former_secret_until = null
        where ${ownedBy(ctx, authorizedApp)} and ${isOver} returning ${authorizedApp.id}`),
    );
    deleted += rows?.length ?? 0;
  }
  failures.throwAny();
  return deleted;
}
