import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';

/** The encrypted former secret during the overlap after a rotation, otherwise null. */
export const formerSecretEncrypted = sql<string | null>`
  case when ${authorizedApp.formerSecretUntil} > now() then ${authorizedApp.formerSecretEncrypted} end`;
