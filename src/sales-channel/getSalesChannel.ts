import { and, eq } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecord } from '../db/read/read-records.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelProjection } from './sales-channel.ts';

export async function getSalesChannel(ctx: Context, selection: Selection): Promise<SalesChannel | null> {
  const id = await ownSalesChannelId(ctx);
  return id === null ? null : await readRecord(ctx, salesChannelProjection, id, selection);
}

/** The sales channel that the calling app works for; null if it has none. */
export async function ownSalesChannelId(ctx: Context): Promise<string | null> {
  const [app] = await ctx.db
    .select({ salesChannelId: authorizedApp.salesChannelId })
    .from(authorizedApp)
    .where(and(ownedBy(ctx, authorizedApp), eq(authorizedApp.id, ctx.session.authorizedAppId)));
  return app?.salesChannelId ?? null;
}
