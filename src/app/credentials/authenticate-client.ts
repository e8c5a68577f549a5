import { and, eq, isNull } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/index.ts';
import { type AppScope, isAppScope } from '../../app-scope.ts';
import type { Context, MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { decryptClientSecret, decryptFormerSecret, formerSecretEncrypted, isSameSecret } from './client-secret.ts';
import { merchantOf } from './merchant-prefix.ts';
import { OAuthError } from './oauth-error.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };

export type OAuthClient = {
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly scopes: readonly AppScope[];
  /** The secret with which it has authenticated, as it is stored. */
  readonly storedSecret: string;
};

/**
 * The app with this secret, or with this former secret during an overlap. A wrong secret, an unknown client and a
 * revoked client get the same error.
 */
export async function authenticateClient(
  ctx: Pick<Context, 'db'> & { secretKey: SecretKey },
  { clientId, clientSecret }: ClientCredentials,
): Promise<OAuthClient> {
  const merchantId = merchantOf(clientId);
  const app = merchantId ? await findClient({ db: ctx.db, merchantId }, clientId) : undefined;
  if (!app) throw refusedClient();
  const owner = { merchantId: app.merchantId, authorizedAppId: app.id };
  const current = decryptClientSecret(ctx.secretKey, owner, app.clientSecretEncrypted);
  const former = decryptFormerSecret(ctx.secretKey, owner, app.formerSecretEncrypted);
  const isCurrent = isSameSecret(clientSecret, current);
  if (!isCurrent && (former === null || !isSameSecret(clientSecret, former))) throw refusedClient();
  const storedSecret = isCurrent ? app.clientSecretEncrypted : app.formerSecretEncrypted!;
  return { ...owner, scopes: app.scopes.filter(isAppScope), storedSecret };
}

async function findClient(ctx: MerchantContext, clientId: string) {
  const [app] = await ctx.db
    .select({
      id: authorizedApp.id,
      merchantId: authorizedApp.merchantId,
      scopes: authorizedApp.scopes,
      clientSecretEncrypted: authorizedApp.clientSecretEncrypted,
      formerSecretEncrypted: formerSecretEncrypted(),
    })
    .from(authorizedApp)
    .where(
      and(
        ownedBy(ctx, authorizedApp),
        eq(authorizedApp.clientId, clientId),
        isNull(authorizedApp.revokedAt),
        eq(authorizedApp.deleted, false),
      ),
    );
  return app;
}

export function refusedClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown or its secret is another.');
}
