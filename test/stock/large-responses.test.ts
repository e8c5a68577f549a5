import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Place, places } from './places.ts';

const ENTRIES = 1_000;
const LONG_TEXT = 'x'.repeat(1_000);
const adjust = (selected: string) =>
  `mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { ${selected} } }`;

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
it('adjustments with an answer over 1 MiB are answered', async () => {
  const { data, errors } = await server.query(ctx, adjust('id key reason'), adjustments());
  expect(errors).toBeUndefined();
  expect(data!['adjustStock']).toHaveLength(ENTRIES);
});
