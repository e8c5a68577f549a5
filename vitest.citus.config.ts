import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './test/citus/left-out.ts';

/** Two files at a time, as in vitest.config.ts. */
const WORKERS = 2;

/** The tests that talk to the database, on the cluster of CITUS_URL. */
export default defineConfig({
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    name: 'citus',
    include: ['test/**/*.test.ts'],
    exclude: Object.keys(LEFT_OUT),
    globalSetup: ['test/citus/global-setup.ts'],
    maxWorkers: WORKERS,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
