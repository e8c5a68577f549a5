import { createSecretKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { deleteFormerSecrets } from '../../src/app/credentials/delete-former-secrets.ts';
import { rotateAppSecret } from '../../src/app/credentials/rotate-app-secret.ts';
import { largestMerchants } from '../../src/cli/doctor/nodes.ts';
import type { Context } from '../../src/context.ts';
import { copyReceipts, countUncopied } from '../../src/customer/erasure/copy-receipts.ts';
import { eraseDeletedCustomers } from '../../src/customer/erasure/erase-deleted-customers.ts';
import { findDemoApp } from '../../src/demo/find-demo-app.ts';
import { removeExpiredKeys } from '../../src/idempotency/remove-expired-keys.ts';
import { fetchBulkImages } from '../../src/image/bulk/fetch-bulk-images.ts';
import { sweepImages } from '../../src/image/sweep-images.ts';
import { listMerchants } from '../../src/merchant/list-merchants.ts';
import { updateMemberships } from '../../src/product/membership/update-memberships.ts';
import { removeUnusedWords } from '../../src/product/search/remove-unused-words.ts';
import { updateAllSearchDocuments } from '../../src/product/search/search-documents.ts';
import { continueReverts } from '../../src/revert/continue-reverts.ts';
import { checkSecretKey } from '../../src/process/check-secret-key.ts';
import { readUsage } from '../../src/usage/read-usage.ts';
import { removeOldUsage } from '../../src/usage/remove-old-usage.ts';
import { removeOldAttemptCounts } from '../../src/webhook/ledger/attempt-counts.ts';
import { claimDeliveries } from '../../src/webhook/ledger/claim-deliveries.ts';
import { ledgerFigures } from '../../src/webhook/ledger/ledger-figures.ts';
import { limitHistories } from '../../src/change/limit-histories.ts';
import { removeOldChanges } from '../../src/change/remove-old-changes.ts';
import { limitWaitingBytes } from '../../src/webhook/ledger/limit-waiting-bytes.ts';
import { probeWebhooks } from '../../src/webhook/ledger/probe-webhooks.ts';
import { relayDeliveries } from '../../src/webhook/ledger/relay-deliveries.ts';
import { removeOldDeliveries } from '../../src/webhook/ledger/remove-old-deliveries.ts';
import { settleDeliveries } from '../../src/webhook/ledger/settle-deliveries.ts';
import { foldMovements } from '../../src/stock/movement/fold-movements.ts';
import { removeOldHolds } from '../../src/stock/hold/remove-old-holds.ts';
import { removeOldStockKeys } from '../../src/stock/entry/remove-old-stock-keys.ts';
import { expireHolds, limitHolds } from '../../src/stock/hold/expire-holds.ts';
import { stockFigures } from '../../src/stock/stock-figures.ts';
import { LedgerSweep } from '../../src/worker/webhooks/ledger-sweep.ts';
import { silent } from '../image/log.ts';
import { openImageDependencies } from '../image/shop.ts';
import type { TestDatabase } from '../support/database.ts';
import { type CallOperation } from '../support/operation.ts';
import { createEvents, save } from '../webhook/deliveries.ts';
import { createShop, type Shop } from './calls.ts';

const OUTCOME = { delivered: true, log: { at: 0, statusCode: 200, error: null, durationMs: 1 } };

/** A condition of each type. */
export function conditionsOf(shop: Shop): object[] {
  return Object.entries({
    CATEGORY: [shop.category],
    CREATED_AT: ['2020', ''],
    DISCOUNTED_PRODUCTS: [],
    PRICE_RANGE: ['', '5'],
    PRODUCT_ATTRIBUTE: [shop.option],
    PRODUCT_BRAND: [shop.brand],
    PRODUCT_NAME: ['part'],
    PRODUCT_TAG: [shop.tag],
    VARIANT_VALUE: [shop.variantValue],
  }).map(([conditionType, valueList]) => ({ conditionType, valueList }));
}

/** Creates something to do for each periodic task. */
export async function createDueWork(call: CallOperation, ctx: Context): Promise<void> {
  const shop = await createShop(call, ctx);
  await call(ctx, 'saveCategory', { input: { name: 'Automated', isAutomated: true, conditions: conditionsOf(shop) } });
  await call(ctx, 'deleteProductTagList', { idList: [] }, { 'idempotency-key': 'key' });
  const { authorizedAppId } = ctx.session;
  await rotateAppSecret({ ...ctx, secretKey: ctx.webhook.secretKey }, { authorizedAppId, overlapMs: 1 });
  await save(ctx, ['store/customer/updated', 'store/customer/created']);
  const claimed = await claimDeliveries(ctx, await createEvents(ctx, 2));
  await settleDeliveries(
    ctx,
    claimed.map((delivery) => ({ ...delivery, ...OUTCOME })),
    [0, 0],
  );
  await createEvents(ctx, 1);
  const own = sql`where merchant_id = ${ctx.merchantId}`;
  await ctx.db.execute(sql`update authorized_app set former_secret_until = now() ${own}`);
  await ctx.db.execute(sql`update idempotency_key set expires_at = now() ${own}`);
  await ctx.db.execute(sql`update idempotency_usage set expires_at = now() ${own}`);
  await ctx.db.execute(sql`update stock_hold set expires_at = now() ${own}`);
  await ctx.db.execute(sql`update stock_key set created_at = now() - interval '91 days' ${own}`);
  await ctx.db.execute(sql`update webhook set status = 'PAUSED' ${own}`);
  await ctx.db.execute(sql`
    update webhook_delivery set is_queued = false, created_at = now() - interval '1 day', next_attempt_at = now() ${own}`);
}

/** Runs everything that the worker, the commands and /metrics do across merchants. */
export async function workAcrossMerchants(database: TestDatabase): Promise<void> {
  const parts = await openImageDependencies();
  const ctx = { db: database.db, across: database.across, log: silent, ...parts };
  try {
    await checkSecretKey(ctx, createSecretKey(Buffer.alloc(32)), silent);
    await listMerchants(ctx);
    await findDemoApp(ctx);
    await largestMerchants(database.across, database.placement.needsRelay);
    await ledgerFigures(ctx);
    await relayDeliveries(ctx);
    await new LedgerSweep().run(ctx, AbortSignal.timeout(60_000));
    await probeWebhooks(ctx);
    await limitWaitingBytes(ctx, { maxWaitingBytes: 0 });
    await updateAllSearchDocuments(ctx, AbortSignal.timeout(60_000));
    await removeUnusedWords(ctx);
    await updateMemberships(ctx, AbortSignal.timeout(60_000));
    await fetchBulkImages(ctx, { retryDelaysMs: [0, 0] });
    await sweepImages(ctx, { unusedMaxAgeMs: 0, objectMinAgeMs: 0 });
    await deleteFormerSecrets(ctx);
    await removeExpiredKeys(ctx);
    await removeOldAttemptCounts(ctx);
    await readUsage(ctx, { days: 1 });
    await removeOldUsage(ctx);
    await expireHolds(ctx);
    await limitHolds(ctx, 0);
    await stockFigures(ctx, database.placement.needsRelay);
    await removeOldStockKeys(ctx);
    await removeOldHolds(ctx, 90);
    await foldMovements(ctx, 0);
    await limitHistories(ctx, 1024);
    await countUncopied(ctx);
    await copyReceipts(ctx, { write: async () => {} });
    await eraseDeletedCustomers(ctx, 1);
    await removeOldChanges(ctx, 1);
    await continueReverts(
      { ...ctx, webhook: { outbound: parts.outbound, secretKey: createSecretKey(Buffer.alloc(32)) } },
      AbortSignal.timeout(60_000),
    );
    await removeOldDeliveries(ctx, { keepDeliveredDays: 0, keepFailedDays: 0 });
  } finally {
    await parts.close();
  }
}

/** The name of a statement, from the comment at its beginning. */
export function nameOf(statement: string): string | undefined {
  return /^\/\* (\w+) \*\//.exec(statement)?.[1];
}
