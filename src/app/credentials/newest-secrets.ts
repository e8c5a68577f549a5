import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, type Row } from '../../db/connection/read-rows.ts';

const APP = { merchantId: column.text, authorizedAppId: column.text, stored: column.text };

/** The encrypted client secrets of the newest apps of all merchants that are not revoked, at most `max`. */
export async function newestSecrets(
  { across }: Pick<AcrossContext, 'across'>,
  max: number,
): Promise<Row<typeof APP>[]> {
  const { merchantId, id, clientSecretEncrypted, revokedAt } = authorizedApp;
  return await across.rows(
    'newestSecrets',
    APP,
    sql`
    select ${merchantId} as "merchantId", ${id} as "authorizedAppId", ${clientSecretEncrypted} as "stored"
    from ${authorizedApp} where ${revokedAt} is null order by ${id} desc limit ${sql.raw(String(max))}`,
  );
}
