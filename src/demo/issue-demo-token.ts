import { ACCESS_TOKEN_LIFETIME_S, issueAccessToken } from '../app/credentials/access-token.ts';
import { type IssuedToken, narrowScopes } from '../app/credentials/issue-token.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { findDemoApp } from './find-demo-app.ts';

/**
 * Issues a token for the demo app without its client secret, which nobody knows; null if there is no demo app. The
 * caller proves its right by its access to the database.
 */
export async function issueDemoToken(
  ctx: AcrossContext,
  { scope }: { scope?: string | undefined } = {},
): Promise<IssuedToken | null> {
  const app = await findDemoApp(ctx);
  if (!app || app.isRevoked) return null;
  const { merchantId, authorizedAppId } = app;
  const scopes = narrowScopes(app.scopes, scope);
  const accessToken = await issueAccessToken({ ...ctx, merchantId }, { authorizedAppId, scopes });
  return { accessToken, expiresInS: ACCESS_TOKEN_LIFETIME_S, scopes };
}
