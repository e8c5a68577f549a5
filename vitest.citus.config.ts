import { defineConfig } from 'vitest/config';

/** Two files at a time, as in vitest.config.ts. */
const WORKERS = 2;

/** The tests that talk to the database, on the cluster of CITUS_URL. */
export default defineConfig({
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    name: 'citus',
    include: ['test/**/*.test.ts'],
    exclude: ['test/attack/**', 'test/faults/**', 'test/fuzz/**', 'test/bench/**'],
    globalSetup: ['test/citus/global-setup.ts'],
    maxWorkers: WORKERS,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
