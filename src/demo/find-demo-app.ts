import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import { type AppScope, isAppScope } from '../app-scope.ts';
import { column } from '../db/connection/read-rows.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';

/** The `storeAppId` of the demo app, by which it is found again. */
export const DEMO_STORE_APP_ID = 'demo';

export type DemoApp = {
  merchantId: string;
  authorizedAppId: string;
  salesChannelId: string | null;
  scopes: AppScope[];
  isRevoked: boolean;
};

const FOUND = {
  merchantId: column.text,
  authorizedAppId: column.text,
  salesChannelId: column.nullable(column.text),
  scopes: column.json<string[]>,
  isRevoked: column.boolean,
};

/**
 * Finds the demo app of any merchant. Of several it returns the newest that is not revoked, or the newest if all are
 * revoked. Only commands and the start of the service may call it, because it reads the apps of all merchants.
 */
export async function findDemoApp({ across }: Pick<AcrossContext, 'across'>): Promise<DemoApp | null> {
  const isRevoked = sql`${authorizedApp.revokedAt} is not null`;
  const [found] = await across.rows(
    'findDemoApp',
    FOUND,
    sql`
    select ${authorizedApp.merchantId} as "merchantId", ${authorizedApp.id} as "authorizedAppId",
      ${authorizedApp.salesChannelId} as "salesChannelId", to_json(${authorizedApp.scopes}) as "scopes",
      ${isRevoked} as "isRevoked"
    from ${authorizedApp} where ${authorizedApp.storeAppId} = ${DEMO_STORE_APP_ID}
    order by ${isRevoked}, ${authorizedApp.id} desc limit 1`,
  );
  return found ? { ...found, scopes: found.scopes.filter(isAppScope) } : null;
}
