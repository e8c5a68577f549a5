import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Turns } from '../admission/fair-limiter.ts';

const requestBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Anyone may ask for the metrics, as often as they like. */
const WAITING_COUNTED_EVERY_MS = 5_000;

/** What came of one request to a receiver. `isLast`: the delivery was given up with it. */
export type Attempted = { delivered: boolean; isLast: boolean; durationMs: number };

export type Metrics = {
  registry: Registry;
  /** The metrics as Prometheus reads them. Those who ask at the same time share one text. */
  read(): Promise<string>;
  answered(labels: { method: string; route: string; status: number }, durationMs: number): void;
  attempted(attempt: Attempted): void;
  /** Asked when somebody reads the metrics, at most every five seconds. */
  countsWaiting(count: () => Promise<number>): void;
};

/** A registry of the server's own, so that two servers in one process count apart. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestBucketsS,
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
    buckets: requestBucketsS,
    registers,
  });
  let reading: Promise<string> | null = null;
  return {
    registry,
    read: async () => await (reading ??= registry.metrics().finally(() => (reading = null))),
    answered: (labels, durationMs) => answers.observe(labels, durationMs / 1_000),
    attempted: ({ delivered, isLast, durationMs }) => {
      attempts.inc();
      durations.observe(durationMs / 1_000);
      if (delivered) deliveries.inc({ status: 'delivered' });
      else if (isLast) deliveries.inc({ status: 'failed' });
    },
    countsWaiting: (count) => {
      let countedAtMs = -Infinity;
      const waiting: Gauge = new Gauge({
        name: 'webhook_deliveries_waiting',
        help: 'Deliveries that are still to be made, those of paused webhooks too; counted up to 100,000.',
        registers,
        // The other figures are wanted most when the database is away.
        collect: async (): Promise<void> => {
          if (performance.now() - countedAtMs < WAITING_COUNTED_EVERY_MS) return;
          countedAtMs = performance.now();
          waiting.set(await count().catch(() => Number.NaN));
        },
      });
    },
  };
}

/** Of the requests that take turns. */
export function measureTurns({ registry }: Metrics, turns: readonly Turns[]): void {
  const registers = [registry];
  const sum = (count: keyof Turns['counts']): number => turns.reduce((sum, { counts }) => sum + counts[count], 0);
  new Gauge({
    name: 'http_requests_executing',
    help: 'Requests that are being executed.',
    registers,
    collect() {
      this.set(sum('inside'));
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
