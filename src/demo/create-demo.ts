import { sql } from 'drizzle-orm';
import { priceList, salesChannel, stockLocation } from '../../drizzle/index.ts';
import { createApp } from '../app/create-app.ts';
import { appScopes } from '../app-scope.ts';
import type { MerchantContext } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { changeOrigin } from '../db/write/change-origin.ts';
import { insert } from '../db/write/write.ts';
import { createMerchant } from '../merchant/create-merchant.ts';
import { DEMO_STORE_APP_ID, findDemoApp } from './find-demo-app.ts';
import type { SecretKey } from '../values/secret-key.ts';

const DEMO_LOCK = 7_203_114_202;

type DemoContext = AcrossContext & { secretKey: SecretKey };

export type Demo = { merchantId: string; authorizedAppId: string; created: boolean };

/**
 * Creates the demo merchant with its default records, and an app with all scopes. If the last demo app was revoked, its
 * merchant gets another one. Changes nothing if there is a demo app.
 */
export async function createDemo(ctx: DemoContext): Promise<Demo> {
  return await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(DEMO_LOCK))})`);
    const last = await findDemoApp(ctx);
    if (last && !last.isRevoked)
      return { merchantId: last.merchantId, authorizedAppId: last.authorizedAppId, created: false };
    const merchantId = last?.merchantId ?? (await createDemoMerchant(ctx));
    const origin = changeOrigin({ merchantId, operation: 'commerce demo' });
    const authorizedAppId = await inTransaction({ ...ctx, merchantId, origin }, async (ctx) =>
      createDemoApp(ctx, last ? last.salesChannelId : await createDefaultRecords(ctx)),
    );
    return { merchantId, authorizedAppId, created: true };
  });
}

async function createDemoApp(ctx: Parameters<typeof createApp>[0], salesChannelId: string | null): Promise<string> {
  const { authorizedAppId } = await createApp(ctx, {
    input: {
      name: 'Demo app',
      scopes: [...appScopes],
      email: 'demo@example.com',
      partnerId: 'demo',
      storeAppId: DEMO_STORE_APP_ID,
      salesChannelId,
    },
  });
  return authorizedAppId;
}

async function createDemoMerchant(ctx: DemoContext): Promise<string> {
  const { merchantId } = await createMerchant(ctx, {
    input: {
      email: 'demo@example.com',
      firstName: 'Demo',
      lastName: 'Merchant',
      merchantName: 'Demo merchant',
      storeName: 'Demo store',
      region: 'US',
    },
  });
  return merchantId;
}

async function createDefaultRecords(ctx: MerchantContext): Promise<string> {
  const [priceListId, stockLocationId, salesChannelId] = [newId(), newId(), newId()];
  await pipeline(ctx, [
    ...insert(ctx, priceList, [
      { id: priceListId, name: 'Retail', currency: 'USD', currencyCode: 'USD', currencySymbol: '$', type: 'MANUAL' },
    ]),
    ...insert(ctx, stockLocation, [{ id: stockLocationId, name: 'Main warehouse', type: 'PHYSICAL' }]),
    ...insert(ctx, salesChannel, [
      {
        id: salesChannelId,
        name: 'Online store',
        type: 'STOREFRONT',
        priceListId,
        stockLocations: [{ id: stockLocationId, order: 0 }],
      },
    ]),
  ]);
  return salesChannelId;
}
