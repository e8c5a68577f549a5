import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

import { checkFilters } from './filters.ts';
import { type Counts, play, type Send } from './play.ts';
import { sequences } from './sequences.ts';

const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 40);

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

it(
  `the service does what the model says, for ${SECONDS} s of random operations (seed ${SEED})`,
  async () => {
    const counts: Counts = {};
    const property = fc.asyncProperty(sequences, async (commands) => {
      const ctx = await createContext(database.db);
      const send: Send = async (operation, variables, headers) => await api.call(ctx, operation, variables, headers);
      await checkFilters(send, await play(send, commands, counts));
    });
    await fc.assert(property, {
      seed: SEED,
      numRuns: 1_000_000,
      interruptAfterTimeLimit: SECONDS * 1_000,
      markInterruptAsFailure: false,
    });
    console.log(counts);
    const accepted = Object.values(counts).map((count) => count.accepted);
    const refused = Object.values(counts).map((count) => count.refused);
    expect(accepted.filter((count) => count === 0)).toEqual([]);
    expect(refused.some((count) => count > 0)).toBe(true);
  },
  SECONDS * 1_000 + 120_000,
);
