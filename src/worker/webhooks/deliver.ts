import type { Outbound } from '../../outbound/outbound.ts';
import { isLastAttempt } from '../../limits/retry-policy.ts';
import type { Span, Tracing } from '../../tracing/span.ts';
import { sendDelivery } from '../../webhook/sending/send-delivery.ts';
import { isUnsigned } from '../../webhook/ledger/failure-reason.ts';
import type { AttemptOutcome } from '../../webhook/ledger/settle-deliveries.ts';
import type { Claim } from './claim.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import type { PayloadBudget } from './payload-budget.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type DeliverDependencies = {
  slots: EndpointSlots;
  budget: PayloadBudget;
  outbound: Outbound;
  secretKey: SecretKey;
  tracing?: Tracing | undefined;
  metrics?: { countAttempt(attempt: { delivered: boolean; isLast: boolean; durationMs: number }): void };
};

/** Makes the request of a claim, then releases its slot and its payload. Never throws. */
export async function deliver(
  { slots, budget, outbound, secretKey, tracing, metrics }: DeliverDependencies,
  { job, delivery }: Claim,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { merchantId } = job;
  const { id, webhookId, endpoint, attempt } = delivery;
  const span = tracing && startDelivery(tracing, merchantId, delivery);
  const { delivered, log } = await sendDelivery({ outbound, secretKey, merchantId, signal, span }, delivery);
  span?.end({ error: delivered ? null : (log.error ?? 'failed') });
  const isUnsent = isUnsigned({ log });
  slots.release(job, !delivered && !isUnsent && log.statusCode === null, log.durationMs ?? 0);
  budget.release(merchantId, delivery.bytes);
  metrics?.countAttempt({ delivered, isLast: !isUnsent && isLastAttempt(attempt), durationMs: log.durationMs ?? 0 });
  return { id, webhookId, endpoint, attempt, delivered, log };
}

/**
 * Begins a trace for the delivery, which is linked to the trace of the save, as OpenTelemetry's conventions for
 * messaging ask. It is no part of that trace, because a delivery may be made days later, and several times.
 */
function startDelivery(tracing: Tracing, merchantId: string, delivery: Claim['delivery']): Span {
  const { id, scope, recordId, attempt, traceparent } = delivery;
  const attributes = {
    'messaging.system': 'postgresql',
    'messaging.operation.type': 'process',
    'messaging.destination.name': scope,
    'messaging.message.id': id,
    'commerce.merchant.id': merchantId,
    'commerce.delivery.id': id,
    'commerce.delivery.attempt': attempt,
    'commerce.record.id': recordId,
  };
  return tracing.start(`deliver ${scope}`, 'consumer', attributes, { link: traceparent });
}
