import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { inTentativeTransaction, type Tentative } from '../../db/connection/transaction.ts';
import { argumentInvalid } from '../../errors.ts';
import { contentHash } from '../../idempotency/content-hash.ts';
import {
  type Answer,
  executeOnce,
  findAnswer,
  type KeyedAnswer,
  type KeyedRequest,
} from '../../idempotency/execute-once.ts';
import { checkKeptBytes } from '../../idempotency/kept-bytes.ts';
import { createTurns } from '../../idempotency/keyed-mutex.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

export type { Answer };

export type MutationRequest<Prepared> = {
  readonly headers: IncomingHttpHeaders;
  /** All of the request that its effect depends on, as JSON can tell it: two with the same content ask for the same. */
  readonly content: unknown;
  /** Waits for other hosts and for the decoder, before the transaction that a key or a dry run needs: it holds a connection. */
  readonly prepare: (ctx: Context, isDryRun: boolean) => Promise<Prepared>;
  /** Does the rest. Without a transaction around it nothing was prepared: then it does all. */
  readonly execute: (ctx: Context, prepared: Prepared | undefined, isDryRun: boolean) => Promise<Outcome>;
};

/** What executing a request came to. */
export type Outcome = {
  answer: Answer;
  /**
   * The answer instead, where all that was done can be taken back: for a request that failed through no
   * fault of its content and so may be sent again. It is undone then, and its key is free.
   */
  undone?: Answer;
};

export type RunMutation = <Prepared>(
  ctx: Context,
  request: MutationRequest<Prepared>,
) => Promise<Answer & { isReplay?: boolean }>;

/**
 * What holds for every request that changes something, whichever route it came by: with an
 * `Idempotency-Key` it is executed once, with `X-Dry-Run` nothing stays of it. An error that `prepare` or
 * `execute` throws undoes all.
 */
export function createRunMutation(): RunMutation {
  const inTurn = createTurns();
  return async (ctx, request) => {
    const { key, isDryRun } = readHeaders(request.headers);
    if (key === null)
      return isDryRun ? await tryOut(ctx, request) : (await request.execute(ctx, undefined, false)).answer;
    const keyed = { key, contentHash: contentHash([request.content, isDryRun]) };
    const name = `${ctx.merchantId} ${ctx.session.authorizedAppId} ${key}`;
    return marked(
      await inTurn(name, async () => await runOnce({ ...ctx, argumentScopes: new Set() }, request, keyed, isDryRun)),
    );
  };
}

async function tryOut<Prepared>(ctx: Context, { prepare, execute }: MutationRequest<Prepared>): Promise<Answer> {
  const prepared = await prepare(ctx, true);
  return await inTentativeTransaction(ctx, async (ctx) => tentative(await execute(ctx, prepared, true), true));
}

/** A repeat is answered before anything is prepared, so that it sends and fetches nothing. */
async function runOnce<Prepared>(
  ctx: Context,
  { prepare, execute }: MutationRequest<Prepared>,
  keyed: KeyedRequest,
  isDryRun: boolean,
): Promise<KeyedAnswer> {
  const stored = await findAnswer(ctx, keyed);
  if (stored) return stored;
  if (!isDryRun) await checkKeptBytes(ctx);
  const prepared = await prepare(ctx, isDryRun);
  return await executeOnce(ctx, keyed, async (ctx) => tentative(await execute(ctx, prepared, isDryRun), isDryRun));
}

function readHeaders(headers: IncomingHttpHeaders): { key: string | null; isDryRun: boolean } {
  const { 'idempotency-key': key, 'x-dry-run': dryRun } = headers;
  if (key !== undefined && (typeof key !== 'string' || !visibleAscii.test(key))) {
    throw argumentInvalid([{ path: ['Idempotency-Key'], message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  if (dryRun !== undefined && dryRun !== 'true')
    throw argumentInvalid([{ path: ['X-Dry-Run'], message: 'must be true, or left out' }]);
  return { key: key ?? null, isDryRun: dryRun !== undefined };
}

function tentative({ answer, undone }: Outcome, isDryRun: boolean): Tentative<Answer> {
  return { result: undone ?? answer, isLasting: !isDryRun && !undone };
}

function marked(answer: KeyedAnswer): KeyedAnswer {
  return answer.isReplay ? { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } } : answer;
}
