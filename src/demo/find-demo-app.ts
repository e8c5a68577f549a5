import { desc, eq, sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import { type AppScope, isAppScope } from '../app-scope.ts';
import type { Context } from '../context.ts';

/** `storeAppId` by which the demo app is found again. */
export const DEMO_STORE_APP_ID = 'demo';

export type DemoApp = {
  merchantId: string;
  authorizedAppId: string;
  salesChannelId: string | null;
  scopes: AppScope[];
  isRevoked: boolean;
};

/**
 * The demo app of any merchant; of several the newest that is not revoked, else the newest. For commands and the start,
 * as it reads the apps of all merchants.
 */
export async function findDemoApp(ctx: Pick<Context, 'db'>): Promise<DemoApp | null> {
  const isRevoked = sql<boolean>`${authorizedApp.revokedAt} is not null`;
  const [found] = await ctx.db
    .select({
      merchantId: authorizedApp.merchantId,
      authorizedAppId: authorizedApp.id,
      salesChannelId: authorizedApp.salesChannelId,
      scopes: authorizedApp.scopes,
      isRevoked,
    })
    .from(authorizedApp)
    .where(eq(authorizedApp.storeAppId, DEMO_STORE_APP_ID))
    .orderBy(isRevoked, desc(authorizedApp.id))
    .limit(1);
  return found ? { ...found, scopes: found.scopes.filter(isAppScope) } : null;
}
