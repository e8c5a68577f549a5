import type { Context } from '../../context.ts';
import { ofMerchant } from '../../db/connection/database.ts';
import { revokeAccessToken, type SessionCache } from './access-token.ts';
import { authenticateClient, type ClientCredentials } from './authenticate-client.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type RevocationRequest = ClientCredentials & { readonly token: string };

/** RFC 7009: an unknown token and another client's token get the same response as a revoked one. */
export async function revokeToken(
  ctx: Pick<Context, 'db'> & { secretKey: SecretKey; sessions: SessionCache },
  request: RevocationRequest,
): Promise<void> {
  const client = await authenticateClient(ctx, request);
  const db = ofMerchant(ctx.db, client.merchantId);
  await revokeAccessToken({ ...ctx, db }, { ...client, token: request.token });
}
