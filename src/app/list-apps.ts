import { asc } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import type { Context } from '../context.ts';
import { milliseconds } from '../db/sql/timestamp.ts';
import { of } from '../db/sql/tenant.ts';

export type ListedApp = {
  authorizedAppId: string;
  clientId: string;
  name: string;
  storeAppId: string;
  salesChannelId: string | null;
  scopes: string[];
  addedDate: number;
  revokedAt: number | null;
};

/** The merchant's apps, oldest first, revoked ones too; without their secrets. */
export async function listApps(ctx: Pick<Context, 'db' | 'merchantId'>): Promise<ListedApp[]> {
  return await ctx.db
    .select({
      authorizedAppId: authorizedApp.id,
      clientId: authorizedApp.clientId,
      name: authorizedApp.name,
      storeAppId: authorizedApp.storeAppId,
      salesChannelId: authorizedApp.salesChannelId,
      scopes: authorizedApp.scopes,
      addedDate: milliseconds(authorizedApp.addedDate),
      revokedAt: milliseconds(authorizedApp.revokedAt),
    })
    .from(authorizedApp)
    .where(of(ctx, authorizedApp))
    .orderBy(asc(authorizedApp.addedDate), asc(authorizedApp.id));
}
