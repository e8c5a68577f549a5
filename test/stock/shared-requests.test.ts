import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Place, places } from './places.ts';

type Movement = { sequence: number; countAfter: number; changeSet: { id: string; idempotencyKey: string | null } };

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let place: Place;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  place = (await places(ctx, 1))[0]!;
  await adjust(0);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function adjust(n: number, headers: Record<string, string> = {}) {
  const input = [{ ...place, delta: n + 1, key: newId() }];
  return (await server.call(ctx, 'adjustStock', { input }, headers)) as {
    data: { adjustStock: Movement[] };
    errors?: unknown;
  };
}

it('only requests without a key and a dry run share transactions; each keeps its answer and its change set', async () => {
  const plain = Array.from({ length: 20 }, async (_, n) => await adjust(n));
  const dry = Array.from({ length: 5 }, async () => await adjust(1_000, { 'x-dry-run': 'true' }));
  const keyed = Array.from({ length: 5 }, async (_, n) => await adjust(n, { 'idempotency-key': `key-${n}` }));
  const answers = await Promise.all([...plain, ...keyed]);
  expect((await Promise.all(dry)).map(({ errors }) => errors)).toEqual(Array.from({ length: 5 }, () => undefined));
  const made = answers.map(({ data }) => data.adjustStock[0]!);
  expect(made.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 25 }, (_, n) => n + 2),
  );
  expect(Math.max(...made.map(({ countAfter }) => countAfter))).toBe(1 + 210 + 15);
  expect(new Set(made.map(({ changeSet }) => changeSet.id)).size).toBe(25);
  expect(made.slice(20).map(({ changeSet }) => changeSet.idempotencyKey)).toEqual(
    Array.from({ length: 5 }, (_, n) => `key-${n}`),
  );
});
