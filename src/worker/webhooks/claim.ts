import type { Database } from '../../db/connection/connect.ts';
import { withSpan } from '../../db/connection/database.ts';
import { inTrace } from '../../tracing/in-trace.ts';
import type { Tracing } from '../../tracing/span.ts';
import { type ClaimedDelivery, claimDeliveries } from '../../webhook/ledger/claim-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { batchAttributes } from './batch-attributes.ts';
import type { Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';

/** With less of the 15 seconds left, an attempt might outlive its claim. */
const MAX_CLAIM_TIME_MS = 4_000;

export type ClaimDependencies = {
  db: Database;
  slots: EndpointSlots;
  budget: PayloadBudget;
  tracing?: Tracing | undefined;
};

/** A delivery whose attempt is counted in the ledger: exactly one request may be made for it. */
export type Claim = { job: Job; delivery: ClaimedDelivery; bytes: number };

/** Claims the deliveries of jobs that have slots. Releases the slots of those for which no request may be made now. */
export async function claim(
  dependencies: ClaimDependencies,
  merchantId: string,
  jobs: readonly Job[],
): Promise<{ claims: Claim[]; unclaimed: Job[] }> {
  const { slots, budget } = dependencies;
  budget.reserve(merchantId);
  let claims: Claim[] = [];
  let isLate = false;
  try {
    const startedAtMs = performance.now();
    claims = await claimAll(dependencies, merchantId, jobs);
    isLate = performance.now() - startedAtMs > MAX_CLAIM_TIME_MS;
  } finally {
    // A late claim is left to lapse: another worker may make it at any moment.
    const used = isLate ? [] : claims;
    budget.hold(
      merchantId,
      used.map(({ bytes }) => bytes),
    );
    const kept = new Set(used.map(({ job }) => job));
    for (const job of jobs) if (!kept.has(job)) slots.release(job);
  }
  const claimed = new Set(claims.map(({ job }) => job));
  return { claims: isLate ? [] : claims, unclaimed: jobs.filter((job) => !claimed.has(job)) };
}

async function claimAll(
  { db, tracing }: ClaimDependencies,
  merchantId: string,
  jobs: readonly Job[],
): Promise<Claim[]> {
  const ids = jobs.map(({ id }) => id);
  const deliveries = await inTrace(
    tracing,
    { name: 'claim deliveries', attributes: batchAttributes(merchantId, jobs.length) },
    async (span) => await claimDeliveries({ db: withSpan(db, span), merchantId }, ids),
  );
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  return deliveries.map((delivery) => ({
    job: jobById.get(delivery.id)!,
    delivery,
    bytes: Buffer.byteLength(delivery.data),
  }));
}
