import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';

/** The encrypted secret of before a rotation while it is valid beside the new one, otherwise null. */
export const formerSecretEncrypted = sql<string | null>`
  case when ${authorizedApp.formerSecretUntil} > now() then ${authorizedApp.formerSecretEncrypted} end`;
