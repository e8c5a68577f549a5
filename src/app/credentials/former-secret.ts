import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';

/** The encrypted former secret during the overlap after a rotation, otherwise null. */
export function formerSecretEncrypted(at: SQL = sql`now()`): SQL<string | null> {
  return sql`case when ${authorizedApp.formerSecretUntil} > ${at} then ${authorizedApp.formerSecretEncrypted} end`;
}
