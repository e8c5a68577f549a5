import { sql } from 'drizzle-orm';
import { type DeliveryAttempt, webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { logWith } from './attempt-log.ts';
import { ATTEMPTS_MAX } from './claim-deliveries.ts';
import { queueDeliveries } from './queue-deliveries.ts';

/** A webhook is paused when this many of its deliveries in a row were given up. */
const GIVEN_UP_IN_A_ROW_MAX = 20;

/** What came of one attempt. */
export type Outcome = {
  id: string;
  webhookId: string;
  endpoint: string;
  /** Where in the queue the next attempt waits, if there is one. */
  lane: number;
  attempt: number;
  delivered: boolean;
  log: DeliveryAttempt;
};

type LedgerContext = Pick<Context, 'db' | 'merchantId'>;

/**
 * Writes what came of attempts, and queues the next ones in the same transaction. An attempt that
 * lapsed meanwhile and was claimed by somebody else is theirs to report. Answers which deliveries are
 * to be tried again, and in how many milliseconds.
 */
export async function settleDeliveries(
  ctx: LedgerContext,
  outcomes: readonly Outcome[],
  retryDelaysMs: readonly number[],
): Promise<{ id: string; lane: number; dueInMs: number }[]> {
  return await inTransaction(ctx, async (ctx) => {
    const settled = await writeOutcomes(ctx, outcomes, retryDelaysMs);
    await countGivenUp(ctx, settled);
    const retried = settled.filter(({ delivered, attempt }) => !delivered && attempt < ATTEMPTS_MAX);
    for (const group of Map.groupBy(retried, ({ lane, attempt }) => `${lane} ${attempt}`).values()) {
      const { lane, attempt } = group[0]!;
      await queueDeliveries(ctx, group, { dueInMs: retryDelaysMs[attempt - 1]!, lane, owned: true });
    }
    return retried.map(({ id, lane, attempt }) => ({ id, lane, dueInMs: retryDelaysMs[attempt - 1]! }));
  });
}

async function writeOutcomes(
  ctx: LedgerContext,
  outcomes: readonly Outcome[],
  retryDelaysMs: readonly number[],
): Promise<Outcome[]> {
  const rows = outcomes.map(({ id, attempt, delivered, log }) => ({
    id,
    attempt,
    state: delivered ? 'DELIVERED' : attempt < ATTEMPTS_MAX ? 'PENDING' : 'FAILED',
    delay: retryDelaysMs[attempt - 1] ?? 0,
    log,
  }));
  const written = await ctx.db.execute<{ id: string }>(sql`
    update ${webhookDelivery}
    set state = outcome.state, claimed_at = null, next_attempt_at = now() + outcome.delay * interval '1 ms',
      attempt_log = ${logWith(sql`outcome.log`)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as outcome(id uuid, attempt int, state text, delay int, log jsonb)
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = outcome.id and ${webhookDelivery.attempts} = outcome.attempt
      and ${webhookDelivery.claimedAt} is not null and ${webhookDelivery.state} = 'PENDING'
    returning ${webhookDelivery.id} as "id"`);
  const ids = new Set(written.map(({ id }) => id));
  return outcomes.filter(({ id }) => ids.has(id));
}

/** Each delivery that arrives starts the count anew. The row of a webhook that does well is not written. */
async function countGivenUp(ctx: LedgerContext, settled: readonly Outcome[]): Promise<void> {
  const tallies = new Map<string, { id: string; reset: boolean; given_up: number }>();
  for (const { webhookId, delivered, attempt } of settled) {
    if (!delivered && attempt < ATTEMPTS_MAX) continue;
    const before = tallies.get(webhookId) ?? { id: webhookId, reset: false, given_up: 0 };
    tallies.set(
      webhookId,
      delivered ? { ...before, reset: true, given_up: 0 } : { ...before, given_up: before.given_up + 1 },
    );
  }
  if (tallies.size === 0) return;
  const count = sql`case when tally.reset then 0 else ${webhook.givenUpInARow} end + tally.given_up`;
  const isTooMany = sql`${count} >= ${sql.raw(String(GIVEN_UP_IN_A_ROW_MAX))}`;
  // In one order for all, so that two settlements wait for each other instead of locking up.
  const rows = [...tallies.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  await ctx.db.execute(sql`
    update ${webhook}
    set given_up_in_a_row = ${count},
      status = case when ${isTooMany} then 'PAUSED' else ${webhook.status} end,
      paused_at = case when ${isTooMany} and ${webhook.status} = 'ACTIVE' then now() else ${webhook.pausedAt} end
    from json_to_recordset(${JSON.stringify(rows)}::json) as tally(id uuid, reset boolean, given_up int)
    where ${ownedBy(ctx, webhook)} and ${webhook.id} = tally.id and (tally.given_up > 0 or ${webhook.givenUpInARow} > 0)`);
}
