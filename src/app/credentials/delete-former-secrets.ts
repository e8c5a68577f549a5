import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import type { Database } from '../../db/connection/connect.ts';

/**
 * Deletes the former secrets of all merchants whose overlap has ended. They are refused from the end of the overlap
 * on, also before they are deleted.
 */
export async function deleteFormerSecrets(db: Database): Promise<number> {
  const rows = await db.execute(sql`
    update ${authorizedApp} set former_secret_encrypted = null, former_secret_until = null
    where ${authorizedApp.formerSecretUntil} <= now() returning ${authorizedApp.id}`);
  return rows.length;
}
