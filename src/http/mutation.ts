import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../context.ts';
import { inTentativeTransaction, type Tentative } from '../db/transaction.ts';
import { argumentInvalid } from '../errors.ts';
import { contentHash } from '../idempotency/contentHash.ts';
import { type Answer, executeOnce, type KeyedAnswer } from '../idempotency/executeOnce.ts';
import { createTurns } from '../idempotency/turns.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

export type { Answer };

export type MutationRequest = {
  headers: IncomingHttpHeaders;
  /** All of the request that its effect depends on, as JSON can tell it: two with the same content ask for the same. */
  content: unknown;
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

export type Execute = (ctx: Context, isDryRun: boolean) => Promise<Outcome>;
export type RunMutation = (ctx: Context, request: MutationRequest, execute: Execute) => Promise<Answer & { isReplay?: boolean }>;

/**
 * What holds for every request that changes something, whichever route it came by: with an
 * `Idempotency-Key` it is executed once, with `X-Dry-Run` nothing stays of it. An error that `execute`
 * throws undoes all either way.
 */
export function createRunMutation(): RunMutation {
  const inTurn = createTurns();
  return async (ctx, { headers, content }, execute) => {
    const { key, isDryRun } = readHeaders(headers);
    if (key === null && !isDryRun) return (await execute(ctx, false)).answer;
    const attempt = async (ctx: Context) => tentative(await execute(ctx, isDryRun), isDryRun);
    if (key === null) return await inTentativeTransaction(ctx, attempt);
    const request = { key, contentHash: contentHash([content, isDryRun]) };
    const answer = await inTurn(`${ctx.merchantId} ${ctx.session.authorizedAppId} ${key}`, async () => await executeOnce(ctx, request, attempt));
    return marked(answer);
  };
}

function readHeaders(headers: IncomingHttpHeaders): { key: string | null; isDryRun: boolean } {
  const { 'idempotency-key': key, 'x-dry-run': dryRun } = headers;
  if (key !== undefined && (typeof key !== 'string' || !visibleAscii.test(key))) {
    throw argumentInvalid([{ path: ['Idempotency-Key'], message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  if (dryRun !== undefined && dryRun !== 'true') throw argumentInvalid([{ path: ['X-Dry-Run'], message: 'must be true, or left out' }]);
  return { key: key ?? null, isDryRun: dryRun !== undefined };
}

function tentative({ answer, undone }: Outcome, isDryRun: boolean): Tentative<Answer> {
  return { result: undone ?? answer, isLasting: !isDryRun && !undone };
}

function marked(answer: KeyedAnswer): KeyedAnswer {
  return answer.isReplay ? { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } } : answer;
}
