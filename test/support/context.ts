import { sql } from 'drizzle-orm';
import { appScopes, type AppScope } from '../../src/app/scopes.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connect.ts';
import { newId } from '../../src/db/id.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A merchant of its own with an app that may do everything, and what an operation needs to run for it. */
export async function createContext(db: Database, scopes: readonly AppScope[] = appScopes): Promise<Context> {
  const merchantId = newId();
  const authorizedAppId = newId();
  await db.execute(sql`
    insert into merchant (merchant_id, sequence, email, first_name, last_name)
    values (${merchantId}, 1, 'owner@example.com', 'Ada', 'Lovelace')`);
  await db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    values (${merchantId}, ${authorizedAppId}, 'Test', 'partner', 'store-app', ${`{${scopes.join(',')}}`}::text[], ${newId()}, 'none', now())`);
  return {
    db,
    log: silent,
    requestId: newId(),
    session: { merchantId, authorizedAppId, scopes: new Set(scopes) },
    merchantId,
  };
}
