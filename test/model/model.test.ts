import fc from 'fast-check';
import { sql, TransactionRollbackError } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import type { Context } from '../../src/context.ts';
import { updateMemberships } from '../../src/product/membership/update-memberships.ts';
import { expireHolds } from '../../src/stock/hold/expire-holds.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import type { Command } from './command.ts';
import { checkEvents } from './events.ts';
import { checkFilters } from './filters.ts';
import { checkMoments } from './moments.ts';
import { NOT_PLAYED } from './not-played.ts';
import { type Counts, play, type Service } from './play.ts';
import { READ_OPERATIONS } from './read-state.ts';
import { checkSearch } from './search.ts';
import { SEQUENCES_BY_THEME } from './sequences.ts';
import { checkTree } from './tree.ts';

/** The same for each run, so that a failure belongs to the change. `npm run model` plays others. */
const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 0);
/**
 * As many sequences, however long they take. Without MODEL_SECONDS one of each theme, so that the speed of the machine
 * does not decide what is played. With it as many as the time allows.
 */
const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? (SECONDS > 0 ? 0 : SEQUENCES_BY_THEME.length));
/** Of one sequence, on a busy machine. */
const MAX_SEQUENCE_SECONDS = 20;

const PLAYED = [...operations.keys()].filter((name) => !(name in NOT_PLAYED));
/** The operations that were sent. */
const sent = new Set([...READ_OPERATIONS, 'listWebhookDelivery']);

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

/** The sequences or the time may be too few for each operation to be accepted: then it may be so many times as many. */
const MAX_ROUNDS = Number(process.env['MODEL_ROUNDS'] ?? (SECONDS > 0 ? 6 : 12));
/** One round, as for seeded faults, is too short for each operation, and ends with the first failure. */
const IS_WHOLE = MAX_ROUNDS > 1;

it(
  `the service does what the model says, for ${SEQUENCES > 0 ? `${SEQUENCES} sequences` : `${SECONDS} s`} of random operations (seed ${SEED})`,
  async ({ signal }) => {
    const counts: Counts = {};
    const run = async (commands: readonly Command[]) => {
      const service = await openService();
      const state = await play(service, commands, counts);
      await checkFilters(service.query, state);
      await checkTree(service.query, state);
      await checkSearch(service.query, state);
      await checkMoments(service.query, state);
      await checkEvents(service.query, state);
      for await (const { broken } of findBroken(service.own)) expect(broken).toEqual([]);
    };
    const neverAccepted = (): string[] => PLAYED.filter((name) => isMutation(name) && !counts[name]?.accepted);
    const startMs = performance.now();
    const isOver = (played: number): boolean => {
      const rounds = SEQUENCES > 0 ? played / SEQUENCES : (performance.now() - startMs) / (SECONDS * 1_000);
      return rounds >= (neverAccepted().length > 0 ? MAX_ROUNDS : 1);
    };
    // A sequence of each theme by turns. The clients at once may have found a seeded fault meanwhile.
    for (let played = 0; !isOver(played) && !signal.aborted; played += 1) {
      const property = fc.asyncProperty(SEQUENCES_BY_THEME[played % SEQUENCES_BY_THEME.length]!, run);
      const seed = SEED + Math.floor(played / SEQUENCES_BY_THEME.length);
      await fc.assert(property, { seed, numRuns: 1, endOnFailure: !IS_WHOLE });
    }
    console.log(counts);
    if (IS_WHOLE) expect(neverAccepted()).toEqual([]);
    expect(signal.aborted || Object.values(counts).some(({ refused }) => refused > 0)).toBe(true);
  },
  MAX_ROUNDS * Math.max(SECONDS, SEQUENCES * MAX_SEQUENCE_SECONDS) * 1_000 + 120_000,
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
    compareConditions: async () =>
      await updateMemberships({ ...ctx, across: database.across }, new AbortController().signal),
  };
}

function ignoreRollback(error: unknown): void {
  if (!(error instanceof TransactionRollbackError)) throw error;
}

function isMutation(name: string): boolean {
  return operations.get(name)!.kind === 'mutation';
}
