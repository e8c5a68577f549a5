import type { Database } from '../../db/connection/database.ts';
import { retryUndone } from '../../db/connection/transaction.ts';
import { inTrace } from '../../tracing/in-trace.ts';
import type { Tracing } from '../../tracing/span.ts';
import { type ClaimedDelivery, claimDeliveries, renewClaims } from '../../webhook/ledger/claim-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { batchAttributes } from './batch-attributes.ts';
import type { Job } from './job.ts';
import { merchantContext } from './merchant-context.ts';
import type { PayloadBudget } from './payload-budget.ts';

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
): Promise<{ claims: Claim[]; unclaimed: Job[] }> {
  const { slots, budget } = dependencies;
  budget.reserve(merchantId);
  let counted: Claim[] = [];
  let claims: Claim[] = [];
  try {
    const startedAtMs = performance.now();
    counted = await claimAll(dependencies, merchantId, jobs);
    claims = isLate(startedAtMs) ? await renew(dependencies, merchantId, counted) : counted;
  } finally {
    budget.hold(
      merchantId,
      claims.map(({ delivery }) => delivery.bytes),
    );
    const kept = new Set(claims.map(({ job }) => job));
    for (const job of jobs) if (!kept.has(job)) slots.release(job);
  }
  const countedJobs = new Set(counted.map(({ job }) => job));
  return { claims, unclaimed: jobs.filter((job) => !countedJobs.has(job)) };
}

function isLate(startedAtMs: number): boolean {
  return performance.now() - startedAtMs > MAX_CLAIM_TIME_MS;
}

/**
 * Late claims, with their 15 seconds started again. What waited, such as a lock or a shard that was split, is over by
 * now. If renewing is late as well, the claims are left to lapse: another worker may make them at any moment.
 */
async function renew({ db }: ClaimDependencies, merchantId: string, late: readonly Claim[]): Promise<Claim[]> {
  if (late.length === 0) return [];
  const startedAtMs = performance.now();
  const ids = await renewClaims(
    merchantContext(db, merchantId),
    late.map(({ delivery }) => delivery),
  );
  return isLate(startedAtMs) ? [] : late.filter(({ job }) => ids.has(job.id));
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
