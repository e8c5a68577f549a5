import type { Context } from '../../context.ts';
import { ofMerchant } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ACCESS_TOKEN_LIFETIME_S, issueAccessToken } from './access-token.ts';
import { authenticateClient, type ClientCredentials, refusedClient } from './authenticate-client.ts';
import { lockAppWithSecret } from './lock-active-app.ts';
import { OAuthError } from './oauth-error.ts';
import { type AppScope, isAppScope, scopeIsGranted } from '../../app-scope.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type TokenRequest = ClientCredentials & {
  /** Scope names separated by spaces or commas. Default: all scopes of the app. */
  readonly scope?: string | null;
};

export type IssuedToken = { accessToken: string; expiresInS: number; scopes: readonly AppScope[] };

/** The client credentials grant of RFC 6749 (4.4). Throws an OAuthError if it refuses. */
export async function issueToken(
  ctx: Pick<Context, 'db'> & { secretKey: SecretKey },
  request: TokenRequest,
): Promise<IssuedToken> {
  // Authenticates once more if the stored secret has changed meanwhile: it may have been encrypted under another key.
  const issued = (await issueUnlessChanged(ctx, request)) ?? (await issueUnlessChanged(ctx, request));
  if (!issued) throw refusedClient();
  return issued;
}

async function issueUnlessChanged(
  ctx: Pick<Context, 'db'> & { secretKey: SecretKey },
  request: TokenRequest,
): Promise<IssuedToken | null> {
  const client = await authenticateClient(ctx, request);
  const scopes = narrowScopes(client.scopes, request.scope);
  const { merchantId, authorizedAppId, storedSecret } = client;
  return await inTransaction({ db: ofMerchant(ctx.db, merchantId), merchantId }, async (ctx) => {
    if (!(await lockAppWithSecret(ctx, authorizedAppId, storedSecret))) return null;
    const accessToken = await issueAccessToken(ctx, { authorizedAppId, scopes });
    return { accessToken, expiresInS: ACCESS_TOKEN_LIFETIME_S, scopes };
  });
}

/** The requested scopes, if they are granted. A write scope includes its read scope. */
export function narrowScopes(granted: readonly AppScope[], requested: string | null | undefined): readonly AppScope[] {
  const names = [...new Set((requested ?? '').split(/[\s,]+/).filter((name) => name !== ''))];
  if (names.length === 0) return granted;
  return names.map((name) => {
    if (!isAppScope(name)) throw new OAuthError('invalid_scope', 'A requested scope is unknown.');
    if (!scopeIsGranted(new Set(granted), name))
      throw new OAuthError('invalid_scope', `The scope ${name} is not granted to the client.`);
    return name;
  });
}
