import { randomBytes } from 'node:crypto';
import { authorizedApp, merchant } from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { referenceCheck } from '../db/write/record-types.ts';
import { insert } from '../db/write/write.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import { type AppInput, appInput } from './app-input.ts';
import { encryptClientSecret, newClientSecret } from './credentials/client-secret.ts';
import { withMerchantPrefix } from './credentials/merchant-prefix.ts';
import type { SecretKey } from '../values/secret-key.ts';

const CLIENT_ID_RANDOM_BYTES = 16;

export type NewApp = { authorizedAppId: string; clientId: string; clientSecret: string };

/** Authorizes an app for the merchant. The secret cannot be read again later. */
export async function createApp(
  ctx: MerchantContext & { secretKey: SecretKey },
  args: { input: AppInput },
): Promise<NewApp> {
  const input = parseInput(appInput, args.input);
  const authorizedAppId = newId();
  const clientId = withMerchantPrefix(ctx.merchantId, randomBytes(CLIENT_ID_RANDOM_BYTES).toString('base64url'));
  const clientSecret = newClientSecret();
  const owner = { merchantId: ctx.merchantId, authorizedAppId };
  await inTransaction(ctx, async (ctx) => {
    await checkMerchant(ctx);
    const row = {
      id: authorizedAppId,
      name: input.name,
      email: input.email ?? null,
      partnerId: input.partnerId ?? newId(),
      storeAppId: input.storeAppId ?? newId(),
      salesChannelId: input.salesChannelId ?? null,
      scopes: [...new Set(input.scopes)],
      supportsMultipleInstallation: input.supportsMultipleInstallation ?? false,
      clientId,
      clientSecretEncrypted: encryptClientSecret(ctx.secretKey, owner, clientSecret),
      addedDate: new Date().toISOString(),
    };
    const check = referenceCheck(ctx, [{ type: 'SalesChannel', ids: salesChannelOf(input.salesChannelId) }]);
    await pipeline(ctx, [...check, ...insert(ctx, authorizedApp, [row])]);
  });
  return { authorizedAppId, clientId, clientSecret };
}

async function checkMerchant(ctx: MerchantContext): Promise<void> {
  const found = await ctx.db.select({ merchantId: merchant.merchantId }).from(merchant).where(ownedBy(ctx, merchant));
  if (found.length === 0) throw notFound('Merchant', [ctx.merchantId]);
}

function salesChannelOf(id: string | null | undefined) {
  return id ? [{ id, path: ['input', 'salesChannelId'] }] : [];
}
