import { ACCESS_TOKEN_LIFETIME_S, issueAccessToken } from '../app/credentials/access-token.ts';
import { type IssuedToken, narrowScopes } from '../app/credentials/issue-token.ts';
import { listApps } from '../app/list-apps.ts';
import { isAppScope } from '../app-scope.ts';
import type { Context } from '../context.ts';
import { listMerchants } from '../merchant/list-merchants.ts';
import { DEMO_STORE_APP_ID } from './create-demo.ts';

/**
 * Issues a token for the demo app, whose secret is known to nobody; null if there is no demo app. Needs access to the
 * database.
 */
export async function issueDemoToken(
  ctx: Pick<Context, 'db'>,
  { scope }: { scope?: string | undefined } = {},
): Promise<IssuedToken | null> {
  const [first] = await listMerchants(ctx);
  const owner = first && { ...ctx, merchantId: first.merchantId };
  const apps = owner ? await listApps(owner) : [];
  const app = apps.find(({ storeAppId, revokedAt }) => storeAppId === DEMO_STORE_APP_ID && revokedAt === null);
  if (!owner || !app) return null;
  const scopes = narrowScopes(app.scopes.filter(isAppScope), scope);
  const accessToken = await issueAccessToken(owner, { authorizedAppId: app.authorizedAppId, scopes });
  return { accessToken, expiresInS: ACCESS_TOKEN_LIFETIME_S, scopes };
}
