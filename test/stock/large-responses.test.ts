import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { listStockHold } from '../../src/stock/listStockHold.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Place, places } from './places.ts';

const ENTRIES = 1_000;
const LONG_TEXT = 'x'.repeat(1_000);
const ALIASES = Array.from({ length: 25 }, (_, index) => `a${index}: `);
const adjust = (selected: string) =>
  `mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { ${selected} } }`;
const hold = (selected: string) => `mutation ($input: [HoldStockInput!]!) { holdStock(input: $input) { ${selected} } }`;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let all: Place[];
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  all = await places(ctx, ENTRIES);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const adjustments = () => ({ input: all.map((place, n) => ({ ...place, delta: 1, key: `${n}`, reason: LONG_TEXT })) });
const holds = () => {
  const expiresAt = Date.now() + 3_600_000;
  return {
    input: all.map((place, n) => ({ ...place, quantity: 1, key: `hold ${n}`, reference: '🙂'.repeat(255), expiresAt })),
  };
};
const movementCount = async () => (await listStockMovement(ctx, {}, { count: {} })).count;
const holdCount = async () => (await listStockHold(ctx, {}, { count: {} })).count;

it('adjustments with an answer over 1 MiB are answered', async () => {
  const { data, errors } = await server.query(ctx, adjust('id key reason'), adjustments());
  expect(errors).toBeUndefined();
  expect(data!['adjustStock']).toHaveLength(ENTRIES);
});

it('adjustments with an answer over 16 MiB are rolled back', async () => {
  const { errors } = await server.query(ctx, adjust(ALIASES.map((alias) => `${alias}reason`).join(' ')), adjustments());
  expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
  expect(await movementCount()).toBe(0);
});

it('holds with an answer over 16 MiB are rolled back', async () => {
  await server.query(ctx, adjust('id'), adjustments());
  const aliases = ALIASES.map((alias) => `${alias}reference`);
  const { errors } = await server.query(ctx, hold(aliases.join(' ')), holds());
  expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
  expect(await holdCount()).toBe(0);
});

it('an adjustment of one count with long aliases is rolled back if its answer is too large', async () => {
  const small = await startOperations(database.db, { maxResponseBytes: 1024 * 1024 });
  const input = (key: string) => ({ input: [{ ...all[0]!, delta: 1, key }] });
  await small.query(ctx, adjust('id'), input('first'));
  const sets = ALIASES.slice(0, 10).map((alias) => `${alias}changeSet { ...set }`);
  const document = `${adjust(sets.join(' '))} fragment set on ChangeSet { ${'k'.repeat(150_000)}: id }`;
  const { errors } = await small.query(ctx, document, input('second'));
  await small.stop();
  expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
  expect(await movementCount()).toBe(1);
});
