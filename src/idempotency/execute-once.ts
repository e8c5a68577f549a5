import { and, eq, gt, sql } from 'drizzle-orm';
import { customer } from '../../drizzle/customer.ts';
import { idempotencyKey } from '../../drizzle/idempotency.ts';
import { type AppScope, scopeIsGranted } from '../app-scope.ts';
import type { Context } from '../context.ts';
import { pipelineStep } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTentativeTransaction } from '../db/connection/transaction.ts';
import { SQLSTATE, sqlState } from '../db/errors/database-error.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { CommerceError, conflict, invalidAt, unauthorized } from '../errors.ts';
import { JsonText } from '../values/json.ts';
import { addStoredBytes } from './stored-bytes.ts';

/** How long the response of a key is stored. */
const KEY_LIFETIME_HOURS = 24;
/** More than the response for a product with a thousand variants. */
const MAX_STORED_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Stored in the place of an answer that had values of a customer who was erased. */
const ERASED_ANSWER = '';

/** The response of a mutation, of any route. The body is a JSON value; its member `data` may be a JsonText. */
export type MutationResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};
type StoredResponse = MutationResponse & { readonly argumentScopes?: readonly AppScope[] };
/** A response, and what stays of the request: its effect and the key, the key alone, or nothing. */
export type Attempt = { readonly response: MutationResponse; readonly stays: 'effect' | 'key' | 'nothing' };
export type KeyedRequest = { readonly key: string; readonly contentHash: string };
export type KeyedResponse = MutationResponse & { readonly isReplay: boolean };

/**
 * The stored response of a key, or null if it was not used within its lifetime. `admit` waits until a response of so
 * many bytes may be read, and returns the context with the current session.
 */
export async function findStoredResponse(
  ctx: Context,
  { key, contentHash }: KeyedRequest,
  admit?: (ctx: Context, bytes: number) => Promise<Context>,
): Promise<KeyedResponse | null> {
  const isValid = and(keyOf(ctx, key), gt(idempotencyKey.expiresAt, sql`now()`));
  const { answer } = idempotencyKey;
  const [found] = await ctx.db
    .select({ contentHash: idempotencyKey.contentHash, bytes: sql<number>`octet_length(${answer})` })
    .from(idempotencyKey)
    .where(isValid);
  if (!found) return null;
  if (found.contentHash !== contentHash) throw conflict('This Idempotency-Key has been used for another request.');
  const admitted = admit ? await admit(ctx, found.bytes) : ctx;
  const [stored] = await ctx.db.select({ answer }).from(idempotencyKey).where(isValid);
  if (stored?.answer === ERASED_ANSWER) throw erased();
  return stored ? replayOf(admitted, stored.answer!) : null;
}

/**
 * Executes a request once per app and key, even after a crash: the key is written in the transaction of the effect. A
 * repeat gets the stored response: null is returned if a concurrent request has used the key. The effect has a
 * savepoint, so that the response of a failed request can be stored without it.
 */
export async function executeOnce(
  ctx: Context,
  request: KeyedRequest,
  execute: (ctx: Context) => Promise<Attempt>,
): Promise<KeyedResponse | null> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    if (!(await claim(ctx, request))) return { result: null, isLasting: false };
    const { response, stays } = await inTentativeTransaction(ctx, async (ctx) => {
      const attempt = await execute(ctx);
      return { result: attempt, isLasting: attempt.stays === 'effect' };
    });
    if (stays !== 'nothing') await store(ctx, request, response);
    return { result: { ...response, isReplay: false }, isLasting: stays !== 'nothing' };
  });
}

/** Whether the key is new or expired. Waits for a concurrent transaction that has claimed it. */
async function claim(ctx: Context, { key, contentHash }: KeyedRequest): Promise<boolean> {
  try {
    const claimed = await ctx.db.execute(sql`
      insert into ${idempotencyKey} as stored (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
      values (${ctx.merchantId}, ${ctx.session.authorizedAppId}, ${key}, ${contentHash}, now(),
        now() + make_interval(hours => ${sql.raw(String(KEY_LIFETIME_HOURS))}))
      on conflict (merchant_id, authorized_app_id, key) do update
      set content_hash = excluded.content_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
      where stored.expires_at <= excluded.created_at
      returning stored.key`);
    return claimed.length > 0;
  } catch (error) {
    if (sqlState(error) !== SQLSTATE.queryCanceled) throw error;
    throw new CommerceError(
      'SERVICE_UNAVAILABLE',
      'A request with this Idempotency-Key is still being executed. Try again later.',
    );
  }
}

function replayOf({ session }: Context, stored: string): KeyedResponse {
  const { argumentScopes = [], ...answer } = parseStored(stored);
  const missing = argumentScopes.find((required) => !scopeIsGranted(session.scopes, required));
  if (missing) throw unauthorized(missing);
  return { ...answer, isReplay: true };
}

async function store(ctx: Context, { key }: KeyedRequest, response: MutationResponse): Promise<void> {
  const argumentScopes = [...(ctx.argumentScopes ?? [])];
  const answer = storedText({ ...response, ...(argumentScopes.length > 0 && { argumentScopes }) });
  const bytes = Buffer.byteLength(answer);
  if (bytes > MAX_STORED_RESPONSE_BYTES) throw responseTooLarge();
  const named = [...(ctx.customerIds ?? [])];
  const kept = named.length > 0 && (await hasErased(ctx, named)) ? ERASED_ANSWER : answer;
  const customerIds = named.length > 0 ? idArray(named) : sql`null`;
  await addStoredBytes(
    ctx,
    [
      // Executes the deferred triggers now. They write changes and events, which can take longer than all statements before.
      pipelineStep(sql`set constraints all immediate`),
      pipelineStep(
        sql`update ${idempotencyKey} set answer = ${kept}, customer_ids = ${customerIds} where ${keyOf(ctx, key)}`,
      ),
    ],
    bytes,
  );
}

/**
 * Whether a customer in the answer is erased. Locks the customers: an erasure that comes later waits for the end of
 * this transaction, and finds the answer. A failed save has given its own lock back with its savepoint.
 */
async function hasErased(ctx: Context, customerIds: readonly string[]): Promise<boolean> {
  const rows = await readRows(
    ctx,
    { isErased: column.boolean },
    sql`
    select ${customer.erasureId} is not null as "isErased" from ${customer}
    where ${ownedBy(ctx, customer)} and ${customer.id} = any(${idArray(customerIds)})
    order by ${customer.id} for share`,
  );
  return rows.some(({ isErased }) => isErased);
}

/**
 * The response in two lines of JSON: `body.data`, which may have megabytes, is the second one. So a repeat can be
 * answered without parsing and writing it.
 */
function storedText(response: StoredResponse): string {
  const { data, ...body } = response.body as { data?: unknown };
  if (typeof data !== 'object' || data === null) return JSON.stringify(response);
  const text = data instanceof JsonText ? data.text : JSON.stringify(data);
  return `${JSON.stringify({ ...response, body })}\n${text}`;
}

function parseStored(stored: string): StoredResponse {
  const end = stored.indexOf('\n');
  if (end === -1) return JSON.parse(stored) as StoredResponse;
  const response = JSON.parse(stored.slice(0, end)) as StoredResponse;
  return { ...response, body: { data: new JsonText(stored.slice(end + 1)), ...(response.body as object) } };
}

function keyOf(ctx: Context, key: string) {
  return and(
    ownedBy(ctx, idempotencyKey),
    eq(idempotencyKey.authorizedAppId, ctx.session.authorizedAppId),
    eq(idempotencyKey.key, key),
  );
}

function erased(): CommerceError {
  const message =
    'The answer to this Idempotency-Key had values of a customer who was erased. It is not executed again.';
  return conflict(message, { reason: 'ERASED' });
}

function responseTooLarge(): CommerceError {
  const message = `cannot be kept for an answer of more than ${MAX_STORED_RESPONSE_BYTES} bytes: select less of it. Nothing was changed`;
  return invalidAt(['Idempotency-Key'], message);
}
