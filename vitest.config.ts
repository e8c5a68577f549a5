import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Two files at a time: each has a service and a database of its own, and CI has two cores. */
const WORKERS = 2;

/**
 * Files that need a process of their own: they measure its memory, change its environment, or use so much memory that
 * other files would be measured or slowed by it.
 */
const ISOLATED = [
  'test/bench/plans.test.ts',
  'test/graphql/document/document-cache.test.ts',
  'test/graphql/execute/response-size.test.ts',
  'test/image/base64.test.ts',
  'test/image/decod*.test.ts',
  'test/image/decoding/*.test.ts',
  'test/image/storage.test.ts',
  'test/product-file/csv/foreign-sheets.test.ts',
];

/** Files that mostly wait for timeouts: alone, each uses less than a third of one core. */
const WAITING = [
  'test/faults/**/*.test.ts',
  'test/worker/webhooks/attempts.test.ts',
  'test/worker/webhooks/blocked-queue.test.ts',
  'test/worker/webhooks/idle.test.ts',
  'test/worker/webhooks/ledger.test.ts',
  'test/worker/termination.test.ts',
  'test/process/outage-log.test.ts',
  'test/outbound/request.test.ts',
  'test/outbound/resolve.test.ts',
  'test/image/fetch-image.test.ts',
  'test/db/connection/connection-watch.test.ts',
  'test/db/connection/half-open.test.ts',
  'test/db/schema/migrate-beside-writers.test.ts',
  'test/webhook/hostile-receivers.test.ts',
  'test/app/add-spent-points.test.ts',
  'test/attack/roles.test.ts',
];
const WAITING_WORKERS = 5;
/**
 * One file at a time. Beside the attack with pictures, pushes of other files were up to 1.1 s late, and alone 0.3 to 0.6 s.
 * With four files at a time, the second merchant of one test waited longer than allowed in each of three runs.
 */
const ATTACK_WORKERS = 1;

/**
 * Retries of attack and fault tests. Their bounds are times and memory on machines that others use too; a real fault
 * exceeds them in each run, by a factor of two to sixty.
 */
const ATTACK_RETRIES = 2;

/** Some tests wait for timeouts of a second. CI reports a test that passes at its second run as flaky. */
const CI_RETRIES = process.env.CI ? 1 : 0;

/** Vitest's limit of a second is too short for pages and processes on a busy machine. */
const POLL_TIMEOUT_MS = 10_000;

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>;

/** A project does not extend the configuration below: it would inherit `globalSetup` and start a server of its own. */
function project(options: ProjectOptions): TestProjectInlineConfiguration {
  return {
    // As Node has them: with `development` our sources would get another graphql than packages do.
    ssr: { resolve: { conditions: ['node', 'module-sync'] } },
    test: { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: POLL_TIMEOUT_MS } }, ...options },
  };
}

export default defineConfig({
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    globalSetup: ['test/support/refuse-unknown-paths.ts', 'test/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project({
        name: 'isolated',
        include: ISOLATED,
        maxWorkers: WORKERS,
        sequence: { groupOrder: 0 },
        retry: CI_RETRIES,
      }),
      project({
        name: 'service',
        include: ['test/**/*.test.ts'],
        exclude: [...ISOLATED, ...WAITING, 'test/attack/**', 'test/citus/**'],
        // The files of a worker share the modules that it has loaded. Importing them again for each file takes a third
        // of the CPU of a small file. Each file must therefore leave globals and the environment as they were.
        isolate: false,
        maxWorkers: WORKERS,
        sequence: { groupOrder: 0 },
        retry: CI_RETRIES,
      }),
      // After all others: how long a fault lasts is part of what they test.
      project({
        name: 'waiting',
        include: WAITING,
        maxWorkers: WAITING_WORKERS,
        sequence: { groupOrder: 1 },
        retry: ATTACK_RETRIES,
      }),
      // They measure how long a second merchant waits, so no other tests run meanwhile. Files that start services and
      // servers made it wait up to 1.1 s without any attack; with the attacks alone it waits at most 0.5 s.
      project({
        name: 'attack',
        include: ['test/attack/**/*.test.ts'],
        exclude: WAITING,
        maxWorkers: ATTACK_WORKERS,
        sequence: { groupOrder: 2 },
        retry: ATTACK_RETRIES,
      }),
    ],
  },
});
