import { defineConfig } from 'vitest/config';

/** Two files at a time: each has a service and a database of its own, and CI has two cores. */
const WORKERS = 2;

/** Their bounds are times and memory on machines that others use too. A fault exceeds them each time, by a factor of two to sixty. */
const ATTACKED_AGAIN = 2;

/** Some tests wait for timeouts of a second. CI reports one that passes at its second run as flaky. */
const RUN_AGAIN_IN_CI = process.env.CI ? 1 : 0;

export default defineConfig({
  // As Node has them: with `development` our sources would get another graphql than packages do.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/attack/**', 'test/faults/**'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
          retry: RUN_AGAIN_IN_CI,
        },
      },
      {
        extends: true,
        // One after the other, when all others are done: how long a second merchant waits, or a fault lasts, is part of what they test.
        test: {
          name: 'attack',
          include: ['test/attack/**/*.test.ts', 'test/faults/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          retry: ATTACKED_AGAIN,
        },
      },
    ],
  },
});
