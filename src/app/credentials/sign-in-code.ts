import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { signInCode } from '../../../drizzle/app.ts';
import { isAppScope } from '../../app-scope.ts';
import type { Context, MerchantContext } from '../../context.ts';
import { ofMerchant } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { ACCESS_TOKEN_LIFETIME_S, type Grant, hashOf, issueAccessToken } from './access-token.ts';
import type { IssuedToken } from './issue-token.ts';
import { lockActiveApp } from './lock-active-app.ts';
import { merchantOf, withMerchantPrefix } from './merchant-prefix.ts';
import { OAuthError } from './oauth-error.ts';

/** Long enough to open the link with the code. A link that somebody finds in a shell's history later has expired. */
const SIGN_IN_CODE_LIFETIME_S = 300;
const CODE_RANDOM_BYTES = 32;

/** Creates a code for one token of the app. Only its hash is stored. Removes the merchant's expired codes. */
export async function createSignInCode(ctx: MerchantContext, { authorizedAppId, scopes }: Grant): Promise<string> {
  const code = withMerchantPrefix(ctx.merchantId, randomBytes(CODE_RANDOM_BYTES).toString('base64url'));
  await ctx.db.execute(sql`
    delete from ${signInCode} where ${ownedBy(ctx, signInCode)} and ${signInCode.expiresAt} <= now()`);
  await ctx.db.execute(sql`
    insert into sign_in_code (merchant_id, hash, authorized_app_id, scopes, expires_at)
    values (${ctx.merchantId}, ${hashOf(code)}, ${authorizedAppId}, ${`{${scopes.join(',')}}`}::text[],
      now() + make_interval(secs => ${sql.raw(String(SIGN_IN_CODE_LIFETIME_S))}))`);
  return code;
}

/**
 * Exchanges a code for a token. A code can be used once; an unknown, a used and an expired code get the same error. The
 * code is found by its hash, so that the time of the comparison reveals nothing about the code.
 */
export async function exchangeSignInCode(ctx: Pick<Context, 'db'>, code: string): Promise<IssuedToken> {
  const merchantId = merchantOf(code);
  if (!merchantId) throw refused();
  return await inTransaction({ db: ofMerchant(ctx.db, merchantId), merchantId }, async (ctx) => {
    const grant = await useCode(ctx, hashOf(code));
    if (!grant || !(await lockActiveApp(ctx, grant.authorizedAppId))) throw refused();
    const accessToken = await issueAccessToken(ctx, grant);
    return { accessToken, expiresInS: ACCESS_TOKEN_LIFETIME_S, scopes: grant.scopes };
  });
}

/** Deletes the code. Of two concurrent requests, the second waits for the row and finds it deleted. */
async function useCode(ctx: MerchantContext, hash: string): Promise<Grant | undefined> {
  const [row] = await ctx.db
    .delete(signInCode)
    .where(and(ownedBy(ctx, signInCode), eq(signInCode.hash, hash), sql`${signInCode.expiresAt} > now()`))
    .returning({ authorizedAppId: signInCode.authorizedAppId, scopes: signInCode.scopes });
  return row && { ...row, scopes: row.scopes.filter(isAppScope) };
}

function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is unknown, used or expired.');
}
