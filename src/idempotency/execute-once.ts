import { and, eq, gt, sql } from 'drizzle-orm';
import { idempotencyKey } from '../../drizzle/idempotency.ts';
import { type AppScope, scopeIsGranted } from '../app-scope.ts';
import type { Context } from '../context.ts';
import { sqlState } from '../db/errors/sql-state.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { pipelineStep } from '../db/write/pipeline.ts';
import { inTentativeTransaction, type Tentative } from '../db/connection/transaction.ts';
import { argumentInvalid, CommerceError, conflict, unauthorized } from '../errors.ts';
import { addKeptBytes } from './kept-bytes.ts';

/** How long a key stands for its request. */
const KEY_LIFETIME_H = 24;
/** More than a product with a thousand variants takes. */
const STORED_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const STATEMENT_TIMED_OUT = '57014';

/** What a request is answered, whichever route it came by. The body is anything that JSON can tell. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};
type Stored = Answer & { readonly argumentScopes?: readonly AppScope[] };
export type KeyedRequest = { readonly key: string; readonly contentHash: string };
export type KeyedAnswer = Answer & { readonly isReplay: boolean };

/** What a request with this key was answered, or null where none was executed in the key's time. */
export async function findAnswer(ctx: Context, request: KeyedRequest): Promise<KeyedAnswer | null> {
  const [stored] = await ctx.db
    .select()
    .from(idempotencyKey)
    .where(and(keyOf(ctx, request.key), gt(idempotencyKey.expiresAt, sql`now()`)));
  return stored ? replayOf(ctx, stored, request) : null;
}

/**
 * Executes a request once for the app and its key; a repeat gets the answer of the first. The key is
 * written in the transaction of the effect, so that neither is there without the other, whenever the
 * process ends. What is not to last is undone with its key.
 */
export async function executeOnce(
  ctx: Context,
  request: KeyedRequest,
  execute: (ctx: Context) => Promise<Tentative<Answer>>,
): Promise<KeyedAnswer> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    if (!(await claim(ctx, request))) return { result: await replay(ctx, request), isLasting: true };
    const { result, isLasting } = await execute(ctx);
    if (isLasting) await store(ctx, request, result);
    return { result: { ...result, isReplay: false }, isLasting };
  });
}

/** Whether the key is free, or was until its time was over. Waits for the end of a transaction that has claimed it. */
async function claim(ctx: Context, { key, contentHash }: KeyedRequest): Promise<boolean> {
  try {
    const claimed = await ctx.db.execute(sql`
      insert into ${idempotencyKey} as stored (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
      values (${ctx.merchantId}, ${ctx.session.authorizedAppId}, ${key}, ${contentHash}, now(),
        now() + make_interval(hours => ${sql.raw(String(KEY_LIFETIME_H))}))
      on conflict (merchant_id, authorized_app_id, key) do update
      set content_hash = excluded.content_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
      where stored.expires_at <= excluded.created_at
      returning stored.key`);
    return claimed.length > 0;
  } catch (error) {
    if (sqlState(error) !== STATEMENT_TIMED_OUT) throw error;
    throw new CommerceError(
      'SERVICE_UNAVAILABLE',
      'A request with this Idempotency-Key is still being executed. Try again later.',
    );
  }
}

async function replay(ctx: Context, request: KeyedRequest): Promise<KeyedAnswer> {
  const [stored] = await ctx.db.select().from(idempotencyKey).where(keyOf(ctx, request.key));
  return replayOf(ctx, stored!, request);
}

function replayOf(
  { session }: Context,
  stored: typeof idempotencyKey.$inferSelect,
  { contentHash }: KeyedRequest,
): KeyedAnswer {
  if (stored.contentHash !== contentHash) throw conflict('This Idempotency-Key has been used for another request.');
  const { argumentScopes = [], ...answer } = JSON.parse(stored.answer!) as Stored;
  const missing = argumentScopes.find((required) => !scopeIsGranted(session.scopes, required));
  if (missing) throw unauthorized(missing);
  return { ...answer, isReplay: true };
}

async function store(ctx: Context, { key }: KeyedRequest, { status, headers, body }: Answer): Promise<void> {
  const argumentScopes = [...(ctx.argumentScopes ?? [])];
  const answer = JSON.stringify({
    status,
    headers,
    body,
    ...(argumentScopes.length > 0 && { argumentScopes }),
  } satisfies Stored);
  const bytes = Buffer.byteLength(answer);
  if (bytes > STORED_ANSWER_MAX_BYTES) throw tooLarge();
  await addKeptBytes(
    ctx,
    [pipelineStep(sql`update ${idempotencyKey} set answer = ${answer} where ${keyOf(ctx, key)}`)],
    bytes,
  );
}

function keyOf(ctx: Context, key: string) {
  return and(
    ownedBy(ctx, idempotencyKey),
    eq(idempotencyKey.authorizedAppId, ctx.session.authorizedAppId),
    eq(idempotencyKey.key, key),
  );
}

function tooLarge(): CommerceError {
  const message = `cannot be kept for an answer of more than ${STORED_ANSWER_MAX_BYTES} bytes: select less of it. Nothing was changed`;
  return argumentInvalid([{ path: ['Idempotency-Key'], message }]);
}
