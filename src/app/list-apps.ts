import { asc } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { epochMs } from '../db/sql/timestamp.ts';

export type ListedApp = {
  authorizedAppId: string;
  clientId: string;
  name: string;
  storeAppId: string;
  salesChannelId: string | null;
  scopes: string[];
  addedDate: number;
  revokedAt: number | null;
  deleted: boolean;
};

/** Whether the app gets tokens. The service revokes apps, and plain SQL can delete them. */
export function isActive({ revokedAt, deleted }: ListedApp): boolean {
  return revokedAt === null && !deleted;
}

/** All apps of the merchant, revoked and deleted ones included, the oldest first. Without their secrets. */
export async function listApps(ctx: MerchantContext): Promise<ListedApp[]> {
  return await ctx.db
    .select({
      authorizedAppId: authorizedApp.id,
      clientId: authorizedApp.clientId,
      name: authorizedApp.name,
      storeAppId: authorizedApp.storeAppId,
      salesChannelId: authorizedApp.salesChannelId,
      scopes: authorizedApp.scopes,
      addedDate: epochMs(authorizedApp.addedDate),
      revokedAt: epochMs(authorizedApp.revokedAt),
      deleted: authorizedApp.deleted,
    })
    .from(authorizedApp)
    .where(ownedBy(ctx, authorizedApp))
    .orderBy(asc(authorizedApp.addedDate), asc(authorizedApp.id));
}
