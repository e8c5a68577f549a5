import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { productSalesChannel } from '../../drizzle/product-relation.ts';
import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { checkReferences } from '../db/reference.ts';
import { of } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { run, upsert } from '../db/write.ts';
import { argumentInvalid } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationUpdateProductSalesChannelStatusArgs } from '../graphql/types.generated.ts';
import { lockProducts } from './lockProducts.ts';
import { salesChannelStatusInput } from './sales-channel-status-input.ts';
import { touchProducts } from './touchProducts.ts';

export async function updateProductSalesChannelStatus(ctx: Context, args: MutationUpdateProductSalesChannelStatusArgs): Promise<boolean> {
  const input = parseInput(salesChannelStatusInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const salesChannelId = args.salesChannelId ?? (await ownSalesChannel(ctx));
    await checkReferences(ctx, [{ table: salesChannel, type: 'SalesChannel', ids: [{ id: salesChannelId, path: ['salesChannelId'] }] }]);
    const productIds = input.map(({ productId }) => productId);
    await lockProducts(ctx, productIds, (index) => ['input', index, 'productId']);
    const stored = await storedChannels(ctx, productIds);
    const rows = input.map(({ productId, active }) => {
      const channels = stored.filter((row) => row.productId === productId);
      const own = channels.find((row) => row.salesChannelId === salesChannelId);
      // Settings of the channel, where the product has some, say the same as the two lists.
      const status = own?.status ? (active ? 'VISIBLE' : 'HIDDEN') : null;
      const position = own?.position ?? Math.max(-1, ...channels.map((row) => row.position)) + 1;
      return { productId, salesChannelId, position, listed: active, hidden: !active, status: status as 'VISIBLE' | 'HIDDEN' | null };
    });
    await run(ctx, [...upsert(ctx, productSalesChannel, ['productId', 'salesChannelId'], rows), touchProducts(ctx, productIds)]);
    return true;
  });
}

async function ownSalesChannel(ctx: Context): Promise<string> {
  const [app] = await ctx.db.execute<{ salesChannelId: string | null }>(sql`
    select ${authorizedApp.salesChannelId} as "salesChannelId" from ${authorizedApp}
    where ${of(ctx, authorizedApp)} and ${authorizedApp.id} = ${ctx.session.authorizedAppId}::uuid`);
  if (app?.salesChannelId) return app.salesChannelId;
  throw argumentInvalid([{ path: ['salesChannelId'], message: 'must be given, because the app has no sales channel of its own' }]);
}

type StoredChannel = { productId: string; salesChannelId: string; position: number; status: string | null };

async function storedChannels(ctx: Context, productIds: string[]): Promise<StoredChannel[]> {
  const { productId, salesChannelId, position, status } = productSalesChannel;
  return await ctx.db.execute<StoredChannel>(sql`
    select ${productId} as "productId", ${salesChannelId} as "salesChannelId", ${position} as "position", ${status} as "status"
    from ${productSalesChannel}
    where ${of(ctx, productSalesChannel)} and ${productId} = any(${idList(productIds)})`);
}
