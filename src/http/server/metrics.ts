import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FairLimiter } from '../admission/fair-limiter.ts';

const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Waiting deliveries are counted at most this often, since anybody may read the metrics. */
const WAITING_COUNT_INTERVAL_MS = 5_000;

/** The result of one webhook request. `isLast`: there is no further attempt. */
export type DeliveryAttempt = { delivered: boolean; isLast: boolean; durationMs: number };

export type Metrics = {
  registry: Registry;
  /** In the text format of Prometheus. Concurrent calls share one text. */
  read(): Promise<string>;
  countResponse(labels: { method: string; route: string; status: number }, durationMs: number): void;
  countAttempt(attempt: DeliveryAttempt): void;
  /**
   * Registers the gauge of waiting deliveries. `count` is called when the metrics are read, at most every five seconds.
   */
  gaugeWaiting(count: () => Promise<number>): void;
};

/** Uses a registry of its own, so that two servers in one process count separately. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const attempts = new Counter({ name: 'webhook_attempts_total', help: 'Requests made to receivers.', registers });
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that came to an end.',
    labelNames: ['status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the beginning of a request to a receiver to its answer or failure.',
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  let reading: Promise<string> | null = null;
  return {
    registry,
    read: async () => await (reading ??= registry.metrics().finally(() => (reading = null))),
    countResponse: (labels, durationMs) => answers.observe(labels, durationMs / 1_000),
    countAttempt: ({ delivered, isLast, durationMs }) => {
      attempts.inc();
      durations.observe(durationMs / 1_000);
      if (delivered) deliveries.inc({ status: 'delivered' });
      else if (isLast) deliveries.inc({ status: 'failed' });
    },
    gaugeWaiting: (count) => {
      let countedAtMs = -Infinity;
      const waiting: Gauge = new Gauge({
        name: 'webhook_deliveries_waiting',
        help: 'Deliveries that are still to be made, those of paused webhooks too; counted up to 100,000.',
        registers,
        // A failure must not hide the other metrics, which matter most while the database is unavailable.
        collect: async (): Promise<void> => {
          if (performance.now() - countedAtMs < WAITING_COUNT_INTERVAL_MS) return;
          countedAtMs = performance.now();
          waiting.set(await count().catch(() => Number.NaN));
        },
      });
    },
  };
}

/** Registers the metrics of concurrent, waiting and refused requests. */
export function measureLimiters({ registry }: Metrics, limiters: readonly FairLimiter[]): void {
  const registers = [registry];
  const sum = (count: keyof FairLimiter['counts']): number =>
    limiters.reduce((sum, { counts }) => sum + counts[count], 0);
  new Gauge({
    name: 'http_requests_executing',
    help: 'Requests that are being executed.',
    registers,
    collect() {
      this.set(sum('active'));
    },
  });
  new Gauge({
    name: 'http_requests_waiting',
    help: 'Requests that wait for their turn.',
    registers,
    collect() {
      this.set(sum('waiting'));
    },
  });
  new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests refused because too many waited, or because they waited too long.',
    registers,
    collect() {
      this.reset();
      this.inc(sum('refused'));
    },
  });
}
