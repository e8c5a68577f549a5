import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import type { Database } from '../db/connection/connect.ts';

/** Removes secrets whose overlap with their successor has ended, of all merchants. They are not valid any more before. */
export async function forgetFormerSecrets(db: Database): Promise<number> {
  const rows = await db.execute(sql`
    update ${authorizedApp} set former_secret_encrypted = null, former_secret_until = null
    where ${authorizedApp.formerSecretUntil} <= now() returning ${authorizedApp.id}`);
  return rows.length;
}
