import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node has them: with `development` our sources would get another graphql than packages do.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two files at a time: each has a service and a database of its own, and CI has two cores.
    maxWorkers: 2,
  },
});
