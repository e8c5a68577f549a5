import { createSecretKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { encryptClientSecret } from '../../src/app/credentials/client-secret.ts';
import { appScopes, type AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { newId } from '../../src/db/sql/id.ts';
import { OutboundError } from '../../src/outbound/failure.ts';
import { openOutbound } from '../../src/outbound/outbound.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The secret of every app of `createContext`. */
export const clientSecret = 'the-client-secret-of-a-test';

const secretKey = createSecretKey(Buffer.alloc(32));

/** Outgoing requests for tests: no host name has an address, so each request fails at once with `dns`. */
export const webhook: Context['webhook'] = {
  outbound: openOutbound({ allowHttp: false, allowPrivate: false }, () => Promise.reject(new OutboundError('dns'))),
  secretKey,
};

/** Higher than that of a cluster's demo merchant, which commands without `--merchant` use. */
const SEQUENCE = 2;

/** Creates a merchant with an app of these scopes, and returns the context of an operation for it. */
export async function createContext(db: Database, scopes: readonly AppScope[] = appScopes): Promise<Context> {
  const merchantId = newId();
  const authorizedAppId = newId();
  await db.execute(sql`
    insert into merchant (merchant_id, sequence, email, first_name, last_name)
    values (${merchantId}, ${SEQUENCE}, 'owner@example.com', 'Ada', 'Lovelace')`);
  await db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    values (${merchantId}, ${authorizedAppId}, 'Test', 'partner', 'store-app', ${`{${scopes.join(',')}}`}::text[], ${newId()}, ${encryptClientSecret(secretKey, { merchantId, authorizedAppId }, clientSecret)}, now())`);
  return {
    db,
    log: silent,
    requestId: newId(),
    session: { merchantId, authorizedAppId, scopes: new Set(scopes) },
    merchantId,
    webhook,
  };
}
