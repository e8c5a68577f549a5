import type { KeyObject } from 'node:crypto';
import type { Outbound } from '../../outbound/outbound.ts';
import { isLastAttempt } from '../../retry-policy.ts';
import { sendDelivery } from '../../webhook/sending/send-delivery.ts';
import type { Outcome } from '../../webhook/ledger/settle-deliveries.ts';
import type { Claim } from './claim.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, laneOf } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';

export type DeliverDependencies = {
  slots: EndpointSlots;
  budget: PayloadBudget;
  outbound: Outbound;
  secretKey: KeyObject;
  metrics?: { countAttempt(attempt: { delivered: boolean; isLast: boolean; durationMs: number }): void };
};

/** Makes the request of a claim, then releases its slot and its payload. Never throws. */
export async function deliver(
  { slots, budget, outbound, secretKey, metrics }: DeliverDependencies,
  { job, delivery, bytes }: Claim,
  signal: AbortSignal,
): Promise<Outcome> {
  const { merchantId } = job;
  const { id, webhookId, endpoint, attempt } = delivery;
  const { delivered, log } = await sendDelivery({ outbound, secretKey, merchantId, signal }, delivery);
  slots.release(job, !delivered && log.statusCode === null);
  budget.release(merchantId, bytes);
  metrics?.countAttempt({ delivered, isLast: isLastAttempt(attempt), durationMs: log.durationMs ?? 0 });
  return { id, webhookId, endpoint, lane: delivered ? COMMON_LANE : laneOf(job), attempt, delivered, log };
}
