import type { Attributes, Tracing } from '../../tracing/span.ts';
import { DELIVERY_QUEUE } from '../../webhook/ledger/delivery-queue.ts';
import type { Job } from './job.ts';

/** Polling finds jobs whose notification was lost, and jobs of workers that died. */
export const POLL_INTERVAL_MS = 5_000;

const RECEIVE_ATTRIBUTES = {
  'messaging.system': 'postgresql',
  'messaging.operation.name': 'receive',
  'messaging.operation.type': 'receive',
  'messaging.destination.name': DELIVERY_QUEUE,
};

/** Takes jobs from one kind of lanes while there are free slots. */
export type Poller = {
  /** Called when jobs were queued in such lanes, or after a failure: the next call polls again. */
  notify(): void;
  /** Passes due jobs to `receive` in batches. True when there may be more. */
  poll(receive: (jobs: Job[]) => void): Promise<boolean>;
  /** The time until the next poll is due, if there is neither a free slot nor a notification before. */
  remainingMs(): number;
  /** True if a free slot allows polling more jobs. */
  isWaitingForSlots(): boolean;
};

/**
 * Takes jobs as a span of OpenTelemetry's conventions for messaging. A span that does not end is not exported, so that
 * polls without jobs, which an idle worker sends all the time, make no traces.
 */
export async function traced(tracing: Tracing | undefined, take: () => Promise<Job[]>): Promise<Job[]> {
  const span = tracing?.start(`receive ${DELIVERY_QUEUE}`, 'client', RECEIVE_ATTRIBUTES);
  const jobs = await take();
  if (jobs.length > 0) span?.end({ attributes: { 'messaging.batch.message_count': jobs.length } });
  return jobs;
}

/** The attributes of a span about several deliveries of one merchant. */
export function batchAttributes(merchantId: string, count: number): Attributes {
  return {
    'messaging.system': 'postgresql',
    'messaging.batch.message_count': count,
    'commerce.merchant.id': merchantId,
  };
}
