import { defineConfig } from 'vitest/config';
import { databaseFiles } from './test/citus/database-files.ts';
import { LEFT_OUT } from './test/citus/left-out.ts';

/**
 * One file at a time: all use one database, and the worker, upkeep and relay of a started service serve the merchants
 * of every file.
 */
const WORKERS = 1;
/** Some tests have limits of time, which a cluster of several servers on one machine exceeds at times. */
const RETRIES = 1;

/** The tests that talk to the database, on the cluster of CITUS_URL. */
export default defineConfig({
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    name: 'citus',
    include: [...databaseFiles(), 'test/citus/**/*.test.ts'],
    exclude: Object.keys(LEFT_OUT),
    globalSetup: ['test/support/refuse-unknown-paths.ts', 'test/citus/global-setup.ts'],
    maxWorkers: WORKERS,
    retry: RETRIES,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
