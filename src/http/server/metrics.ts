import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FairLimiter } from '../admission/fair-limiter.ts';

const MS_PER_S = 1_000;
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Waiting deliveries are counted at most this often, since anybody may read the metrics. */
const WAITING_COUNT_INTERVAL_MS = 5_000;

/** The result of one webhook request. `isLast`: there is no further attempt. */
export type DeliveryAttempt = { delivered: boolean; isLast: boolean; durationMs: number };

/** Uses a registry of its own, so that two servers in one process count separately. */
export class Metrics {
  readonly registry = createRegistry();
  readonly #registers = [this.registry];
  readonly #responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: this.#registers,
  });
  readonly #attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Requests made to receivers.',
    registers: this.#registers,
  });
  readonly #deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that came to an end.',
    labelNames: ['status'] as const,
    registers: this.#registers,
  });
  readonly #attemptDurations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the beginning of a request to a receiver to its answer or failure.',
    buckets: DURATION_BUCKETS_S,
    registers: this.#registers,
  });
  #reading: Promise<string> | null = null;

  /** In the text format of Prometheus. Concurrent calls share one text. */
  async read(): Promise<string> {
    return await (this.#reading ??= this.registry.metrics().finally(() => (this.#reading = null)));
  }

  countResponse(labels: { method: string; route: string; status: number }, durationMs: number): void {
    this.#responses.observe(labels, durationMs / MS_PER_S);
  }

  countAttempt({ delivered, isLast, durationMs }: DeliveryAttempt): void {
    this.#attempts.inc();
    this.#attemptDurations.observe(durationMs / MS_PER_S);
    if (delivered) this.#deliveries.inc({ status: 'delivered' });
    else if (isLast) this.#deliveries.inc({ status: 'failed' });
  }

  /** Registers the gauge of waiting deliveries. `count` is called when the metrics are read, at most every five seconds. */
  gaugeWaiting(count: () => Promise<number>): void {
    let countedAtMs = -Infinity;
    const waiting: Gauge = new Gauge({
      name: 'webhook_deliveries_waiting',
      help: 'Deliveries that are still to be made, those of paused webhooks too; counted up to 100,000.',
      registers: this.#registers,
      // A failure must not hide the other metrics, which matter most while the database is unavailable.
      collect: async (): Promise<void> => {
        if (performance.now() - countedAtMs < WAITING_COUNT_INTERVAL_MS) return;
        countedAtMs = performance.now();
        waiting.set(await count().catch(() => Number.NaN));
      },
    });
  }
}

function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
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
