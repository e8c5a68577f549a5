import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Counts what fails in the background, where no request gets the error. */
export class BackgroundMetrics {
  readonly #failures: Counter<'work'>;
  readonly #failing: Gauge<'work'>;

  constructor({ registry }: Metrics) {
    this.#failures = new Counter({
      name: 'background_failures_total',
      help: 'Failures of work in the background, which is tried again, except while the database is away.',
      labelNames: ['work'],
      registers: [registry],
    });
    this.#failing = new Gauge({
      name: 'background_task_failing',
      help: 'Periodic tasks: 1 if the last run has failed, otherwise 0.',
      labelNames: ['work'],
      registers: [registry],
    });
  }

  countFailure(work: string): void {
    this.#failures.inc({ work });
  }

  /** Called after each run of a periodic task. A task that runs once a day fails too rarely for a rate. */
  setFailing(work: string, isFailing: boolean): void {
    this.#failing.set({ work }, Number(isFailing));
  }
}
