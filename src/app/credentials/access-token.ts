import { hash as digest, randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { accessToken, authorizedApp, merchant } from '../../../drizzle/index.ts';
import { type AppScope, isAppScope, scopeIsGranted } from '../../app-scope.ts';
import { hasAutomatedCategories } from '../../category/automated-category.ts';
import type { Context, MerchantContext, Session } from '../../context.ts';
import { type Database, withSpan } from '../../db/connection/database.ts';
import { newId } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { languageOf, validLanguage } from '../../merchant/merchant-language.ts';
import { hasDynamicPriceLists } from '../../price-list/dynamic-list.ts';
import type { Span } from '../../tracing/span.ts';
import { merchantOf, withMerchantPrefix } from './merchant-prefix.ts';
import { isUseRecorded, recordUse } from './record-use.ts';

export const ACCESS_TOKEN_LIFETIME_S = 14_400;
const TOKEN_RANDOM_BYTES = 32;
/** All nodes refuse a revoked token within one second, so sessions are cached for less than that. */
const SESSION_CACHE_TTL_MS = 900;
const MAX_CACHED_SESSIONS = 10_000;
/** More than one, so that expired tokens do not accumulate. */
const EXPIRED_TOKENS_PER_ISSUE = 100;

export type Grant = { readonly authorizedAppId: string; readonly scopes: readonly AppScope[] };

/** Sessions by the hash of their token. Holds promises, so that concurrent requests share one query. */
export type SessionCache = LRUCache<string, Promise<Session | null>>;

export function openSessionCache(): SessionCache {
  return new LRUCache({ max: MAX_CACHED_SESSIONS, ttl: SESSION_CACHE_TTL_MS, ttlResolution: 0 });
}

/** Creates a token for the app. It cannot be read again, because only its hash is stored. */
export async function issueAccessToken(ctx: MerchantContext, { authorizedAppId, scopes }: Grant): Promise<string> {
  const token = withMerchantPrefix(ctx.merchantId, randomBytes(TOKEN_RANDOM_BYTES).toString('base64url'));
  await removeExpiredTokens(ctx);
  await ctx.db.execute(sql`
    insert into access_token (merchant_id, hash, id, authorized_app_id, scopes, created_at, expires_at)
    values (${ctx.merchantId}, ${hashOf(token)}, ${newId()}, ${authorizedAppId}, ${`{${scopes.join(',')}}`}::text[], now(),
      now() + make_interval(secs => ${sql.raw(String(ACCESS_TOKEN_LIFETIME_S))}))`);
  return token;
}

/** Returns the function that finds the session of a token. With `own`, which may be a transaction, it skips the cache. */
export function sessionFinder(db: Database, sessions: SessionCache) {
  return (token: string, span: Span | null, own?: Database): Promise<Session | null> =>
    own ? findCurrentSession({ db: own }, token) : findSession({ db: withSpan(db, span), sessions }, token);
}

/** The session of a token; null if the token is unknown, expired or revoked, or its app is revoked. */
export function findSession(ctx: SessionContext, token: string): Promise<Session | null> {
  const hash = hashOf(token);
  return ctx.sessions.get(hash) ?? findUncached(ctx, token, hash);
}

async function findCurrentSession({ db }: Pick<Context, 'db'>, token: string): Promise<Session | null> {
  const merchantId = merchantOf(token);
  const found = merchantId ? await readSession({ db, merchantId }, hashOf(token)) : null;
  return found && found.session;
}

type SessionContext = Pick<Context, 'db'> & { sessions: SessionCache };

async function findUncached(ctx: SessionContext, token: string, hash: string): Promise<Session | null> {
  const merchantId = merchantOf(token);
  if (!merchantId) return null;
  const asked = readAndRecordUse({ db: ctx.db, merchantId }, hash);
  // Cached before the query is sent, so that the entry expires in time after a revocation during the query.
  ctx.sessions.set(hash, asked);
  const forget = (): void => void (ctx.sessions.peek(hash) === asked && ctx.sessions.delete(hash));
  try {
    const session = await asked;
    // Unknown tokens are not cached: guesses would evict valid sessions.
    if (!session) forget();
    return session;
  } catch (error) {
    forget();
    throw error;
  }
}

/** Revokes the token if it is the app's: on this node at once, on others when their cache entry expires. */
export async function revokeAccessToken(
  ctx: Pick<Context, 'db'> & { sessions: SessionCache },
  { token, merchantId, authorizedAppId }: { token: string; merchantId: string; authorizedAppId: string },
): Promise<void> {
  const hash = hashOf(token);
  await ctx.db
    .delete(accessToken)
    .where(
      and(
        ownedBy({ merchantId }, accessToken),
        eq(accessToken.hash, hash),
        eq(accessToken.authorizedAppId, authorizedAppId),
      ),
    );
  ctx.sessions.delete(hash);
}

async function removeExpiredTokens(ctx: MerchantContext): Promise<void> {
  await ctx.db.execute(sql`
    delete from ${accessToken} where ${ownedBy(ctx, accessToken)} and ${accessToken.hash} in (
      select ${accessToken.hash} from ${accessToken}
      where ${ownedBy(ctx, accessToken)} and ${accessToken.expiresAt} < now()
      limit ${sql.raw(String(EXPIRED_TOKENS_PER_ISSUE))} for update skip locked)`);
}

async function readAndRecordUse(ctx: MerchantContext, hash: string): Promise<Session | null> {
  const found = await readSession(ctx, hash);
  if (!found) return null;
  const { session, isUseRecorded } = found;
  if (!isUseRecorded) void recordUse(ctx, { hash, authorizedAppId: session.authorizedAppId });
  return session;
}

type FoundSession = { session: Session; isUseRecorded: boolean };

async function readSession(ctx: MerchantContext, hash: string): Promise<FoundSession | null> {
  const [row] = await ctx.db
    .select({
      authorizedAppId: accessToken.authorizedAppId,
      scopes: accessToken.scopes,
      appScopes: authorizedApp.scopes,
      isUseRecorded: isUseRecorded(),
      language: languageOf(merchant),
      hasDynamicLists: hasDynamicPriceLists(ctx),
      hasAutomated: hasAutomatedCategories(ctx),
    })
    .from(accessToken)
    .innerJoin(authorizedApp, and(ownedBy(ctx, authorizedApp), eq(authorizedApp.id, accessToken.authorizedAppId)))
    .innerJoin(merchant, ownedBy(ctx, merchant))
    .where(
      and(
        ownedBy(ctx, accessToken),
        eq(accessToken.hash, hash),
        sql`${accessToken.expiresAt} > now()`,
        sql`${authorizedApp.revokedAt} is null and not ${authorizedApp.deleted}`,
      ),
    );
  if (!row) return null;
  const granted = new Set(row.appScopes.filter(isAppScope));
  const scopes = row.scopes.filter(isAppScope).filter((scope) => scopeIsGranted(granted, scope));
  const { authorizedAppId, language, hasDynamicLists, hasAutomated } = row;
  const session = {
    merchantId: ctx.merchantId,
    authorizedAppId,
    scopes: new Set(scopes),
    language: validLanguage(language),
    hasDynamicPriceLists: hasDynamicLists,
    hasAutomatedCategories: hasAutomated,
  };
  return { session, isUseRecorded: row.isUseRecorded };
}

/** What is stored of a token or a sign-in code. */
export function hashOf(credential: string): string {
  return digest('sha256', credential);
}
