import fc from 'fast-check';
import { sql, TransactionRollbackError } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import type { Context } from '../../src/context.ts';
import { expireHolds } from '../../src/stock/hold/expire-holds.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { checkFilters } from './filters.ts';
import { checkMoments } from './moments.ts';
import { NOT_PLAYED } from './not-played.ts';
import { type Counts, play, type Service } from './play.ts';
import { READ_OPERATIONS } from './read-state.ts';
import { sequences } from './sequences.ts';

const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 40);
/** As many sequences, however long they take, in place of as many as the time allows. */
const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? 0);

const PLAYED = [...operations.keys()].filter((name) => !(name in NOT_PLAYED));
/** The operations that were sent. */
const sent = new Set(READ_OPERATIONS);

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

/** On a slow machine the time is too short for each operation: then further rounds follow, with the next seeds. */
const MAX_ROUNDS = Number(process.env['MODEL_ROUNDS'] ?? 6);
/** One round, as for seeded faults, is too short for each operation, and ends with the first failure. */
const IS_WHOLE = MAX_ROUNDS > 1;

it(
  `the service does what the model says, for ${SEQUENCES > 0 ? `${SEQUENCES} sequences` : `${SECONDS} s`} of random operations (seed ${SEED})`,
  async () => {
    const counts: Counts = {};
    const property = fc.asyncProperty(sequences, async (commands) => {
      const service = await openService();
      const state = await play(service, commands, counts);
      await checkFilters(service.query, state);
      await checkMoments(service.query, state);
      for await (const { broken } of findBroken(service.own)) expect(broken).toEqual([]);
    });
    const neverAccepted = (): string[] => PLAYED.filter((name) => isMutation(name) && !counts[name]?.accepted);
    for (let round = 0; round === 0 || (round < MAX_ROUNDS && neverAccepted().length > 0); round += 1)
      await fc.assert(property, {
        seed: SEED + round,
        ...(SEQUENCES > 0
          ? { numRuns: SEQUENCES }
          : { numRuns: 1_000_000, interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false }),
        endOnFailure: !IS_WHOLE,
      });
    console.log(counts);
    if (IS_WHOLE) expect(neverAccepted()).toEqual([]);
    expect(Object.values(counts).some(({ refused }) => refused > 0)).toBe(true);
  },
  MAX_ROUNDS * SECONDS * 1_000 + 120_000,
);

// A new operation needs a command, or a reason in NOT_PLAYED.
it.runIf(IS_WHOLE)('sends each operation of the schema that has no reason to be left out', () => {
  expect(PLAYED.filter((name) => !sent.has(name))).toEqual([]);
  expect(Object.keys(NOT_PLAYED).filter((name) => sent.has(name) || !operations.has(name))).toEqual([]);
});

/** The service for a new merchant. */
async function openService(): Promise<Service & { own: Context }> {
  const ctx = await createContext(database.db);
  return {
    own: ctx,
    send: async (operation, variables, headers) => {
      sent.add(operation);
      return await api.call(ctx, operation, variables, headers);
    },
    query: async (document) => await api.query(ctx, document),
    sql: async (text, isKept) => {
      const own = text.replaceAll(':merchant', ctx.merchantId);
      await database.owner
        .transaction(async (transaction) => {
          await transaction.execute(sql.raw(own));
          if (!isKept) transaction.rollback();
        })
        .catch(ignoreRollback);
    },
    sweep: async () => await expireHolds({ ...ctx, across: database.across }),
  };
}

function ignoreRollback(error: unknown): void {
  if (!(error instanceof TransactionRollbackError)) throw error;
}

function isMutation(name: string): boolean {
  return operations.get(name)!.kind === 'mutation';
}
