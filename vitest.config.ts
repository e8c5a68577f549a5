import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Two files at a time: each has a service and a database of its own, and CI has two cores. */
const WORKERS = 2;

/** Files that mostly wait for timeouts: alone, each uses less than a third of one core. */
const WAITING = [
  'test/faults/**/*.test.ts',
  'test/worker/webhooks/idle.test.ts',
  'test/db/connection/half-open.test.ts',
  'test/webhook/hostile-receivers.test.ts',
  'test/app/add-spent-points.test.ts',
  ...['database-time', 'harness', 'payloads', 'roles', 'transactions', 'values', 'worker'].map(
    (name) => `test/attack/${name}.test.ts`,
  ),
];
const WAITING_WORKERS = 4;

/**
 * Retries of attack and fault tests. Their bounds are times and memory on machines that others use too; a real fault
 * exceeds them in each run, by a factor of two to sixty.
 */
const ATTACK_RETRIES = 2;

/** Some tests wait for timeouts of a second. CI reports a test that passes at its second run as flaky. */
const CI_RETRIES = process.env.CI ? 1 : 0;

export default defineConfig({
  // As Node has them: with `development` our sources would get another graphql than packages do.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...WAITING, 'test/attack/**', 'test/citus/**'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
          retry: CI_RETRIES,
        },
      },
      {
        extends: true,
        // After all others: how long a fault lasts is part of what they test.
        test: {
          name: 'waiting',
          include: WAITING,
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 1 },
          retry: ATTACK_RETRIES,
        },
      },
      {
        extends: true,
        // One file at a time: how long a second merchant waits is part of what they test.
        test: {
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          exclude: WAITING,
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          retry: ATTACK_RETRIES,
        },
      },
    ],
  },
});
