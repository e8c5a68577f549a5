import { sql } from 'drizzle-orm';
import { type DeliveryAttempt, webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { isLastAttempt, retryDelayMs, type RetryDelaysMs } from '../../limits/retry-policy.ts';
import { countAttempts } from './attempt-counts.ts';
import { logWith } from './attempt-log.ts';
import { FAILURE_REASONS, isUnsigned } from './failure-reason.ts';
import { queueDeliveries, queueRetries, queueWaiting } from './queue-deliveries.ts';

/** A webhook is paused after this many failed deliveries in a row. */
const MAX_FAILED_IN_A_ROW = 20;
/** The least time until a delivery that could not be signed is claimed again: there is no limit to how often it is. */
const MIN_UNSIGNED_DELAY_MS = 10_000;
const NOT_SIGNED = sql.raw(`'${FAILURE_REASONS.notSigned}'`);

/** The result of one attempt. */
export type AttemptOutcome = {
  id: string;
  webhookId: string;
  endpoint: string;
  attempt: number;
  delivered: boolean;
  log: DeliveryAttempt;
};

export type Settled = {
  /** Deliveries to be tried again. */
  retried: { id: string; dueInMs: number }[];
  /** Deliveries whose last attempt has failed. */
  givenUp: AttemptOutcome[];
  /** Deliveries that were given back, because the secret of their app does not open. */
  unsigned: AttemptOutcome[];
  /** Webhooks that are paused by these failures, and those that are resumed because a delivery was received. */
  pausedIds: string[];
  resumedIds: string[];
};

/**
 * Queues the retries, then writes the outcomes of attempts. Not in one transaction: on a cluster the queue and the
 * ledger are on different nodes. A crash in between leaves a job whose delivery is still claimed; when both are due, it
 * is claimed again. An outcome is ignored if the claim has lapsed and another worker has claimed the delivery: that
 * worker reports. A delivery that `requeue` has given another endpoint meanwhile is queued for that one, whatever the
 * outcome.
 */
export async function settleDeliveries(
  ctx: MerchantContext,
  outcomes: readonly AttemptOutcome[],
  retryDelaysMs: RetryDelaysMs,
): Promise<Settled> {
  const startedAtMs = performance.now();
  const delayOf = (outcome: AttemptOutcome): number => delayMs(retryDelaysMs, outcome);
  const failed = outcomes.filter((outcome) => !outcome.delivered && !isGivenUp(outcome));
  for (const [dueInMs, group] of Map.groupBy(failed, delayOf)) await queueRetries(ctx, group, dueInMs);
  const { redirected, ...settled } = await inTransaction(ctx, async (ctx) => {
    // The job must not be due before its delivery.
    const queueingMs = Math.ceil(performance.now() - startedAtMs);
    const written = await writeOutcomes(ctx, outcomes, (outcome) => delayOf(outcome) - queueingMs);
    const made = outcomes.filter(({ id }) => written.has(id));
    const changed = await countFailures(ctx, made);
    // Last, because concurrent settlements of a webhook wait for its rows until the commit.
    await countAttempts(ctx, made);
    const final = made.filter(({ id }) => !written.get(id)!.isRedirected);
    const unsigned = final.filter(isUnsigned);
    await takeAttemptsBack(ctx, unsigned);
    return {
      retried: final
        .filter((outcome) => failed.includes(outcome))
        .map((outcome) => ({ id: outcome.id, dueInMs: delayOf(outcome) })),
      givenUp: final.filter(isGivenUp),
      unsigned,
      ...changed,
      redirected: [...written.values()].filter(({ isRedirected }) => isRedirected),
    };
  });
  await queueDeliveries(ctx, redirected, { owned: true });
  await queueWaiting(ctx, settled.resumedIds);
  return settled;
}

function isGivenUp(outcome: AttemptOutcome): boolean {
  return !outcome.delivered && !isUnsigned(outcome) && isLastAttempt(outcome.attempt);
}

/** Another worker may have the right key, so that a delivery is not kept from it for longer than after a request. */
function delayMs(retryDelaysMs: RetryDelaysMs, outcome: AttemptOutcome): number {
  if (isUnsigned(outcome)) return Math.max(...retryDelaysMs, MIN_UNSIGNED_DELAY_MS);
  return retryDelayMs(retryDelaysMs, outcome.attempt);
}

const WRITTEN = { id: column.text, endpoint: column.text, isRedirected: column.boolean };

/** Returns the written deliveries by their ids, with their present endpoints. */
async function writeOutcomes(
  ctx: MerchantContext,
  outcomes: readonly AttemptOutcome[],
  delayOf: (outcome: AttemptOutcome) => number,
): Promise<ReadonlyMap<string, Row<typeof WRITTEN>>> {
  const rows = outcomes.map((outcome) => {
    const { id, endpoint, attempt, delivered, log } = outcome;
    const state = delivered ? 'DELIVERED' : isGivenUp(outcome) ? 'FAILED' : 'PENDING';
    const delay = delayOf(outcome);
    const nextAttemptAt = state === 'PENDING' ? Date.now() + delay : null;
    const entry = { log: { ...log, nextAttemptAt }, due: { nextAttemptAt: Date.now() } };
    return { id, endpoint, attempt, state, delay, ...entry };
  });
  const written = await readRows(
    ctx,
    WRITTEN,
    sql`
    update ${webhookDelivery}
    set claimed_at = null, attempt_log = ${logWith(loggedOutcome, logBefore)},
      state = case when ${isRedirected} then 'PENDING' else outcome.state end,
      next_attempt_at = case when ${isRedirected} then outcome.settled_at else outcome.next_attempt_at end
    from (
      select id, endpoint, attempt, state, log, due, now() as settled_at,
        now() + delay * interval '1 ms' as next_attempt_at
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as sent(id uuid, endpoint text, attempt int, state text, delay int, log jsonb, due jsonb)
    ) as outcome
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = outcome.id
      and (${isRedirected}
        or (${webhookDelivery.attempts} = outcome.attempt and ${webhookDelivery.endpoint} = outcome.endpoint))
      and ${webhookDelivery.claimedAt} is not null and ${webhookDelivery.state} = 'PENDING'
    returning ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint",
      ${isRedirected} as "isRedirected"`,
  );
  return new Map(written.map((delivery) => [delivery.id, delivery]));
}

/** `requeue` has given the claimed delivery another endpoint: no request to that one is counted yet. */
const isRedirected = sql`${webhookDelivery.attempts} = 0`;

const outcomeLog = sql`case when ${isRedirected} then outcome.log || outcome.due else outcome.log end`;

/** Of attempts in a row that could not be signed the last one is kept: others would push the requests out of the log. */
const logBefore = sql`
  case when outcome.log ->> 'error' = ${NOT_SIGNED}
      and ${webhookDelivery.attemptLog}::jsonb -> -1 ->> 'error' = ${NOT_SIGNED}
    then ${webhookDelivery.attemptLog}::jsonb - (-1) else ${webhookDelivery.attemptLog}::jsonb end`;

/** Not in `writeOutcomes`, which knows redirected deliveries by their 0 attempts also after it has written them. */
async function takeAttemptsBack(ctx: MerchantContext, unsigned: readonly AttemptOutcome[]): Promise<void> {
  if (unsigned.length === 0) return;
  const ids = idArray(unsigned.map(({ id }) => id));
  await ctx.db.execute(sql`
    update ${webhookDelivery} set attempts = ${webhookDelivery.attempts} - 1
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${ids})`);
}

/** What a receiver answers to a delivery of an erased customer may be about the person. */
const loggedOutcome = sql`
  case when ${webhookDelivery.isErased} then (${outcomeLog}) - 'responseBody' - 'responseHeaders'
  else ${outcomeLog} end`;

/**
 * A delivered event resets the count, and resumes a paused webhook. Deliveries to a former endpoint say nothing about the
 * present one, and do not count. The row of an active webhook without failures is not written.
 */
async function countFailures(
  ctx: MerchantContext,
  settled: readonly AttemptOutcome[],
): Promise<Pick<Settled, 'pausedIds' | 'resumedIds'>> {
  const tallies = talliesOf(settled);
  if (tallies.length === 0) return { pausedIds: [], resumedIds: [] };
  const count = sql`case when tally.reset then 0 else ${webhook.givenUpInARow} end + tally.given_up`;
  const isTooMany = sql`${count} >= ${sql.raw(String(MAX_FAILED_IN_A_ROW))}`;
  const isPaused = sql`(${isTooMany} and ${webhook.status} = 'ACTIVE')`;
  const isResumed = sql`(tally.reset and not ${isTooMany} and ${webhook.status} = 'PAUSED')`;
  const changed = await readRows(
    ctx,
    { id: column.text, status: column.text, isChanged: column.boolean },
    sql`
    update ${webhook}
    set given_up_in_a_row = ${count},
      status = case when ${isTooMany} then 'PAUSED' when ${isResumed} then 'ACTIVE' else ${webhook.status} end,
      paused_at = case when ${isPaused} then moment.at when ${isResumed} then null else ${webhook.pausedAt} end,
      updated_at = case when ${isPaused} or ${isResumed} then moment.at else ${webhook.updatedAt} end
    from json_to_recordset(${JSON.stringify(tallies)}::json)
      as tally(id uuid, endpoint text, reset boolean, given_up int), (${momentMs}) as moment
    where ${ownedBy(ctx, webhook)} and ${webhook.id} = tally.id and ${webhook.endpoint} = tally.endpoint
      and (tally.given_up > 0 or ${webhook.givenUpInARow} > 0 or ${webhook.status} = 'PAUSED')
    returning ${webhook.id} as "id", ${webhook.status} as "status", ${webhook.updatedAt} = moment.at as "isChanged"`,
  );
  const idsOf = (status: string): string[] =>
    changed.filter((row) => row.isChanged && row.status === status).map(({ id }) => id);
  return { pausedIds: idsOf('PAUSED'), resumedIds: idsOf('ACTIVE') };
}

/** As precise as stored times, so that a row tells whether this statement has set its time. */
const momentMs = sql`select now()::timestamptz(3) as at`;

type Tally = { id: string; endpoint: string; reset: boolean; given_up: number };

/** In the order of the webhooks' ids: all writers lock in this order, so that two settlements cannot deadlock. */
function talliesOf(settled: readonly AttemptOutcome[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const outcome of settled) {
    const { webhookId, endpoint, delivered } = outcome;
    if (!delivered && !isGivenUp(outcome)) continue;
    const key = `${webhookId} ${endpoint}`;
    const before = tallies.get(key) ?? { id: webhookId, endpoint, reset: false, given_up: 0 };
    tallies.set(
      key,
      delivered ? { ...before, reset: true, given_up: 0 } : { ...before, given_up: before.given_up + 1 },
    );
  }
  return [...tallies.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
