import { sql } from 'drizzle-orm';
import { encryptClientSecret } from '../../../src/app/credentials/client-secret.ts';
import { appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { clientSecret } from '../../support/context.ts';
import { createOtherApp } from '../../webhook/deliveries.ts';
import type { Merchant } from '../../support/own-service.ts';

/** Creates another app of the merchant, with all scopes and the secret of the first one. */
export async function createAppLike({ ctx }: Merchant): Promise<Context> {
  const other = await createOtherApp(ctx);
  const owner = { merchantId: ctx.merchantId, authorizedAppId: other.session.authorizedAppId };
  const encrypted = encryptClientSecret(ctx.webhook.secretKey, owner, clientSecret);
  await ctx.db.execute(sql`
    update authorized_app set scopes = ${`{${appScopes.join(',')}}`}::text[], client_secret_encrypted = ${encrypted}
    where merchant_id = ${owner.merchantId} and id = ${owner.authorizedAppId}`);
  return other;
}
