import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import type { Send } from '../play.ts';
import { contradictions } from './check-history.ts';
import { changeVendor, createShop, eventsOf, listen, playClients } from './played-shop.ts';

const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 3);
const MIN_DONE = 6;

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
  `no write of several clients is lost, repeated or seen in part, in ${SECONDS} s (seed ${SEED})`,
  async ({ signal }) => {
    const [app, other] = [await createContext(database.db), await createContext(database.db)];
    // Nothing sends the events: the test reads what was recorded.
    await listen(app, 'https://receiver.example');
    const send: Send = async (operation, variables, headers) => await api.call(app, operation, variables, headers);
    const foreign: Send = async (operation, variables) => await api.call(other, operation, variables);
    const access = { send, foreign, sql: changeVendor(app) };
    const shop = await createShop(send);
    const history = await playClients({ shop, access }, { seconds: SECONDS, seed: SEED, signal });
    expect(contradictions(history, await eventsOf(app, shop)).slice(0, 5)).toEqual([]);
    expect(history.writes.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(MIN_DONE);
  },
  SECONDS * 1_000 + 120_000,
);
