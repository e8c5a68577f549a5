import { type Database, withSending } from '../../db/connection/database.ts';
import { retryUndone } from '../../db/connection/transaction.ts';
import { inTrace } from '../../tracing/in-trace.ts';
import type { Tracing } from '../../tracing/span.ts';
import { type ClaimedDelivery, claimDeliveries, undoClaims } from '../../webhook/ledger/claim-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import type { Job } from './job.ts';
import { merchantContext } from '../../db/across/merchant-context.ts';
import type { PayloadBudget } from './payload-budget.ts';
import { batchAttributes } from './poller.ts';

/** The request of a claim that took longer could last until after the 15 seconds of the claim. */
const MAX_CLAIM_TIME_MS = 4_000;

export type ClaimDependencies = {
  db: Database;
  slots: EndpointSlots;
  budget: PayloadBudget;
  tracing?: Tracing | undefined;
};

/** A delivery whose attempt is counted in the ledger: exactly one request may be made for it. */
export type Claim = { job: Job; delivery: ClaimedDelivery };

/** Claims the deliveries of jobs that have slots. Releases the slots of those for which no request may be made now. */
export async function claim(
  dependencies: ClaimDependencies,
  merchantId: string,
  jobs: readonly Job[],
): Promise<{ claims: Claim[]; unclaimed: readonly Job[] }> {
  const { slots, budget } = dependencies;
  budget.reserve(merchantId);
  let claims: Claim[] = [];
  let unclaimed = jobs;
  try {
    claims = await claimInTime(dependencies, merchantId, jobs);
  } finally {
    budget.hold(
      merchantId,
      claims.map(({ delivery }) => delivery.bytes),
    );
    const claimed = new Set(claims.map(({ job }) => job));
    unclaimed = jobs.filter((job) => !claimed.has(job));
    for (const job of unclaimed) slots.release(job);
  }
  return { claims, unclaimed };
}

/**
 * Undoes late claims: another worker may make them before their requests have ended. They can be made again at once, since
 * what waited, such as a lock or a shard that was split, is over by now. Time counts from when the statement is sent:
 * thousands of merchants may wait for the connections of the worker.
 */
async function claimInTime(
  dependencies: ClaimDependencies,
  merchantId: string,
  jobs: readonly Job[],
): Promise<Claim[]> {
  const { db } = dependencies;
  let sentAtMs = performance.now();
  const timed = withSending(db, { onSend: () => (sentAtMs = performance.now()) });
  const claims = await claimAll({ ...dependencies, db: timed }, merchantId, jobs);
  if (claims.length === 0 || performance.now() - sentAtMs <= MAX_CLAIM_TIME_MS) return claims;
  await undoClaims(
    merchantContext(db, merchantId),
    claims.map(({ delivery }) => delivery),
  );
  return [];
}

async function claimAll(
  { db, tracing }: ClaimDependencies,
  merchantId: string,
  jobs: readonly Job[],
): Promise<Claim[]> {
  const ids = jobs.map(({ id }) => id);
  const deliveries = await inTrace(
    tracing,
    { name: 'claim deliveries', kind: 'consumer', attributes: batchAttributes(merchantId, jobs.length) },
    async (span) => await retryUndone(() => claimDeliveries(merchantContext(db, merchantId, span), ids)),
  );
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  return deliveries.map((delivery) => ({
    job: jobById.get(delivery.id)!,
    delivery,
  }));
}
