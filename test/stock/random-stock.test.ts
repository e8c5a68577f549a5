import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { CountedShop, type Step } from './counted-shop.ts';

const RUNS = 12;
const at = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('set' as const, 'plainSql' as const),
    at,
    count: fc.integer({ min: -5, max: 20 }),
  }),
  fc.record({
    kind: fc.constant('adjust' as const),
    at,
    delta: fc.integer({ min: -8, max: 8 }).filter((delta) => delta !== 0),
    key: fc.nat({ max: 12 }),
    allowNegative: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('move' as const), from: at, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('hold' as const), at, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom('commit' as const, 'release' as const), hold: fc.nat({ max: 5 }) }),
  fc.record({
    kind: fc.constantFrom('delete' as const, 'restore' as const),
    table: fc.constantFrom('variant' as const, 'stock_location' as const),
  }),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it(
  'every count is the sum of its movements, whatever changes it, as a plain model says',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const ctx = await createContext(database.db);
        const shop = await CountedShop.open(ctx);
        for (const one of steps) await shop.play(one);
        await shop.compare();
        for await (const { broken } of findBroken(ctx)) expect(broken).toEqual([]);
      }),
      { numRuns: RUNS, seed: 34 },
    );
  },
);
