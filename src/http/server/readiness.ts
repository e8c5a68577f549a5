import { setTimeout as wait } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** A check that takes longer counts as failed, so that a probe does not wait for a database that does not respond. */
const CHECK_TIMEOUT_MS = 2_500;
/**
 * How long a probe waits for checks that do not change its status. A test of a slow storage takes longer than some load
 * balancers wait for a response.
 */
const EXCLUDED_WAIT_MS = 100;
/** A response with metrics waits this long for the checks; later results are in the next response. */
const METRICS_WAIT_MS = 1_000;

/** The service is ready if all are true. A check that throws has failed. */
export type ReadinessChecks = Record<string, () => Promise<boolean>>;

export type Readiness = { readonly isReady: boolean; readonly checks: Readonly<Record<string, 'ok' | 'failed'>> };

/** Runs the checks of `/readyz`, and keeps their last results. Concurrent calls share one run of a check. */
export class ReadinessProbe {
  readonly names: readonly string[];
  readonly #checks: ReadinessChecks;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #last = new Map<string, boolean>();

  constructor(checks: ReadinessChecks) {
    this.#checks = checks;
    this.names = Object.keys(checks);
  }

  /** The checks in `excluded` are in the result, but do not make the service unready. */
  async read(excluded: ReadonlySet<string>): Promise<Readiness> {
    const required = this.names.filter((name) => !excluded.has(name));
    const results = this.names.map((name) => this.#run(name));
    const isReady = (await Promise.all(required.map((name) => this.#run(name)))).every(Boolean);
    if (required.length < this.names.length) await withinMs(Promise.all(results), EXCLUDED_WAIT_MS);
    const checks = Object.fromEntries(
      this.names.map((name) => [name, this.#last.get(name) ? 'ok' : 'failed'] as const),
    );
    return { isReady, checks };
  }

  /** Registers the last result of each check. Reading the metrics runs them, since nobody may ask a worker for `/readyz`. */
  measure(metrics: Metrics): void {
    metrics.beforeReading(async () => {
      await withinMs(Promise.all(this.names.map((name) => this.#run(name))), METRICS_WAIT_MS);
    });
    const last = this.#last;
    new Gauge({
      name: 'readiness_check',
      help: 'The checks of /readyz: 1, or 0 if the check has failed.',
      labelNames: ['check'],
      registers: [metrics.registry],
      collect() {
        for (const [check, isOk] of last) this.set({ check }, Number(isOk));
      },
    });
  }

  async #run(name: string): Promise<boolean> {
    const running = this.#running.get(name) ?? this.#runAlone(name).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return await running;
  }

  async #runAlone(name: string): Promise<boolean> {
    const isOk = await succeeds(this.#checks[name]!);
    this.#last.set(name, isOk);
    return isOk;
  }
}

async function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await Promise.race([check(), wait(CHECK_TIMEOUT_MS, false, { ref: false })]);
  } catch {
    return false;
  }
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  await Promise.race([work, wait(ms, undefined, { ref: false })]);
}
