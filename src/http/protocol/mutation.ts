import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { inDryRun } from '../../db/connection/transaction.ts';
import { changeOrigin } from '../../db/write/change-origin.ts';
import { invalidAt } from '../../errors.ts';
import { contentHash } from '../../idempotency/content-hash.ts';
import {
  type Attempt,
  executeOnce,
  findStoredResponse,
  type KeyedRequest,
  type KeyedResponse,
  type MutationResponse,
} from '../../idempotency/execute-once.ts';
import { createKeyedMutex } from '../../idempotency/keyed-mutex.ts';
import { checkStoredBytes } from '../../idempotency/stored-bytes.ts';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const ACTOR = /^\P{Cc}{1,255}$/u;

export type { MutationResponse };

export type MutationRequest<Prepared> = {
  readonly headers: IncomingHttpHeaders;
  /** The names of the request's mutations, for the history. */
  readonly operation: string;
  /** Everything in the request that its effect depends on, as JSON. Requests with equal content are repeats. */
  readonly content: unknown;
  /**
   * Looks up the session again if its token may have been revoked while the request waited. Throws if it was. Called
   * after each wait for another request with the same key.
   */
  readonly withCurrentSession: (ctx: Context) => Promise<Context>;
  /**
   * Waits until a stored response of so many bytes may be read, and checks that the session may read it. Without it,
   * responses are small and need no further scopes.
   */
  readonly admitReplay?: (ctx: Context, bytes: number) => Promise<Context>;
  /**
   * Waits for other hosts and for the decoder. With a key or a dry run it runs before the transaction, which holds a
   * connection.
   */
  readonly prepare: (ctx: Context, isDryRun: boolean) => Promise<Prepared>;
  /** Does the rest. Without a key and a dry run nothing is prepared, and it does everything. */
  readonly execute: (ctx: Context, prepared: Prepared | undefined, isDryRun: boolean) => Promise<MutationOutcome>;
};

export type MutationOutcome = {
  response: MutationResponse;
  /**
   * Given if the request failed. With a key everything is rolled back, and this is the response. If the reason is
   * transient, the request may be repeated, so the key is free again, and this is the response of a dry run too.
   */
  rolledBack?: { response: MutationResponse; isTransient: boolean };
};

export type RunMutation = <Prepared>(
  ctx: Context,
  request: MutationRequest<Prepared>,
) => Promise<MutationResponse & { isReplay?: boolean }>;

/**
 * Runs a mutation of any route with the headers that all have in common: with `Idempotency-Key` it is executed once,
 * with `X-Dry-Run` it is rolled back. An error thrown by `prepare` or `execute` rolls everything back.
 */
export function createRunMutation(): RunMutation {
  const inMutex = createKeyedMutex();
  return async (sender, request) => {
    const { key, actor, isDryRun } = readHeaders(request.headers);
    const { merchantId, requestId, session } = sender;
    const { authorizedAppId } = session;
    const { operation } = request;
    const named = { ...(key !== null && { idempotencyKey: key }), ...(actor !== null && { actor }) };
    const origin = changeOrigin({ merchantId, authorizedAppId, operation, requestId, ...named });
    const ctx = { ...sender, origin };
    if (key === null)
      return isDryRun ? await dryRun(ctx, request) : (await request.execute(ctx, undefined, false)).response;
    const keyed = { key, contentHash: await contentHash([request.content, isDryRun], ctx) };
    const name = `${ctx.merchantId} ${ctx.session.authorizedAppId} ${key}`;
    const own = isDryRun ? withoutReports(ctx) : ctx;
    const run = async () =>
      await runKeyed({ ...own, argumentScopes: new Set(), customerIds: new Set() }, request, keyed, isDryRun);
    return withReplayHeader(await inMutex(name, run));
  };
}

async function dryRun<Prepared>(
  ctx: Context,
  { prepare, execute, withCurrentSession }: MutationRequest<Prepared>,
): Promise<MutationResponse> {
  const prepared = await prepare(ctx, true);
  // Without a key each mutation is a transaction of its own, so those that succeed would stay.
  const { response, rolledBack } = await inDryRun(withoutReports(ctx), async (ctx) =>
    execute(await withCurrentSession(ctx), prepared, true),
  );
  return rolledBack?.isTransient ? rolledBack.response : response;
}

/** Logs no line at the level `info` of what is rolled back. */
function withoutReports(ctx: Context): Context {
  const { log } = ctx;
  const ignore = (): void => {};
  return {
    ...ctx,
    log: {
      debug: ignore,
      info: ignore,
      warn: (details, message) => log.warn(details, message),
      error: (details, message) => log.error(details, message),
    },
  };
}

/** A repeat gets the stored response before `prepare`, so that it sends and fetches nothing. */
async function runKeyed<Prepared>(
  waiting: Context,
  request: MutationRequest<Prepared>,
  keyed: KeyedRequest,
  isDryRun: boolean,
): Promise<KeyedResponse> {
  const { prepare, execute, admitReplay, withCurrentSession } = request;
  const ctx = await withCurrentSession(waiting);
  const stored = await findStoredResponse(ctx, keyed, admitReplay);
  if (stored) return stored;
  if (!isDryRun) await checkStoredBytes(ctx);
  const prepared = await prepare(ctx, isDryRun);
  const executed = async (ctx: Context) => await execute(await withCurrentSession(ctx), prepared, isDryRun);
  const afterCommit: ((ctx: Context) => Promise<void>)[] = [];
  const response = await executeOnce({ ...ctx, ...(!isDryRun && { afterCommit }) }, keyed, async (ctx) =>
    attemptOf(await (isDryRun ? inDryRun(ctx, executed) : executed(ctx)), isDryRun),
  );
  for (const work of afterCommit) await work(ctx);
  return response ?? (await runKeyed(ctx, request, keyed, isDryRun));
}

type MutationHeaders = { key: string | null; actor: string | null; isDryRun: boolean };

function readHeaders(headers: IncomingHttpHeaders): MutationHeaders {
  const { 'idempotency-key': key, 'x-dry-run': dryRun, 'x-actor': actor } = headers;
  if (key !== undefined && (typeof key !== 'string' || !VISIBLE_ASCII.test(key))) {
    throw invalidAt(['Idempotency-Key'], 'must be 1 to 255 visible ASCII characters');
  }
  if (dryRun !== undefined && dryRun !== 'true') throw invalidAt(['X-Dry-Run'], 'must be true, or left out');
  return { key: key ?? null, actor: actorOf(actor), isDryRun: dryRun !== undefined };
}

/**
 * The person on whose behalf the app says that it acts. A header has ASCII only, so other characters are encoded. The
 * name is trimmed and in NFC, so that the erasure of a customer finds it by comparing texts.
 */
function actorOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const actor = typeof header === 'string' && /^[\x20-\x7e]+$/.test(header) ? decoded(header) : null;
  if (actor === null || !ACTOR.test(actor))
    throw invalidAt(['X-Actor'], 'must be 1 to 255 characters without control characters, as percent-encoded UTF-8');
  return actor;
}

function decoded(header: string): string | null {
  try {
    return decodeURIComponent(header).normalize().trim();
  } catch {
    return null;
  }
}

function attemptOf({ response, rolledBack }: MutationOutcome, isDryRun: boolean): Attempt {
  if (isDryRun || rolledBack?.isTransient) return { response: rolledBack?.response ?? response, stays: 'nothing' };
  return rolledBack ? { response: rolledBack.response, stays: 'key' } : { response, stays: 'effect' };
}

function withReplayHeader(response: KeyedResponse): KeyedResponse {
  if (!response.isReplay) return response;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}
