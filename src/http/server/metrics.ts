import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { httpStatusByCode } from '../../errors.ts';

const MS_PER_S = 1_000;
/**
 * The pause after a reading, in times of what it took. Anybody may read the metrics, and a reading blocks the event loop
 * for milliseconds, most of them for the standard deviation of its delay. The gauges are synchronous, so that the
 * measured time contains no waiting.
 */
const PAUSE_PER_READ = 9;
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The result of one webhook request. `isLast`: there is no further attempt, unless the delivery is redelivered. */
export type DeliveryAttempt = { delivered: boolean; isLast: boolean; durationMs: number };

/** Uses a registry of its own, so that two servers in one process count separately. */
export class Metrics {
  readonly registry = createRegistry();
  readonly #registers = [this.registry];
  readonly #responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, or until the client disconnected (status 499).',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: this.#registers,
  });
  readonly #operations = new Counter({
    name: 'graphql_requests_total',
    help: 'GraphQL requests by root field and by the code of their first error, or OK. Partial responses have both.',
    labelNames: ['operation', 'code'] as const,
    registers: this.#registers,
  });
  readonly #graphQLJs = new Counter({
    name: 'graphql_js_fields_total',
    help: 'Root fields that graphql-js executed: introspection, and results that do not fit their types.',
    labelNames: ['reason'] as const,
    registers: this.#registers,
  });
  readonly #attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of deliveries, also those that failed before a request was sent.',
    registers: this.#registers,
  });
  readonly #deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts that delivered, or failed for the last time, also those to an endpoint that was changed meanwhile.',
    labelNames: ['status'] as const,
    registers: this.#registers,
  });
  readonly #attemptDurations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the beginning of an attempt to its answer or failure.',
    buckets: DURATION_BUCKETS_S,
    registers: this.#registers,
  });
  readonly #preparations: (() => Promise<void>)[] = [];
  #reading: Promise<string> | null = null;
  #nextReadAtMs = 0;

  /** `prepare` is called before each reading, which is delayed until its promise resolves. */
  beforeReading(prepare: () => Promise<void>): void {
    this.#preparations.push(prepare);
  }

  /** Reads all metrics in the text format of Prometheus. Concurrent calls share one text. */
  async read(): Promise<string> {
    return await (this.#reading ??= this.#readAfterPause().finally(() => (this.#reading = null)));
  }

  async #readAfterPause(): Promise<string> {
    await wait(Math.max(0, this.#nextReadAtMs - performance.now()));
    await Promise.all(this.#preparations.map(async (prepare) => await prepare()));
    const startedAtMs = performance.now();
    const text = await this.registry.metrics();
    const endedAtMs = performance.now();
    this.#nextReadAtMs = endedAtMs + PAUSE_PER_READ * (endedAtMs - startedAtMs);
    return text;
  }

  countResponse(labels: { method: string; route: string; status: number }, durationMs: number): void {
    this.#responses.observe(labels, durationMs / MS_PER_S);
  }

  countGraphQLJs(reason: 'introspection' | 'result'): void {
    this.#graphQLJs.inc({ reason });
  }

  countAttempt({ delivered, isLast, durationMs }: DeliveryAttempt): void {
    this.#attempts.inc();
    this.#attemptDurations.observe(durationMs / MS_PER_S);
    if (delivered) this.#deliveries.inc({ status: 'delivered' });
    else if (isLast) this.#deliveries.inc({ status: 'failed' });
  }

  /**
   * `operations` are the root fields of the document. The label is one of the SDL, or `several`, `introspection`, or
   * `none` for a document that was not valid, so that no client can invent one.
   */
  countOperation(operations: readonly string[], code: string | undefined): void {
    const [operation = 'none', second] = operations;
    const label = second !== undefined ? 'several' : operation.startsWith('__') ? 'introspection' : operation;
    this.#operations.inc({
      operation: label,
      code: code === undefined ? 'OK' : code in httpStatusByCode ? code : 'OTHER',
    });
  }
}

function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
