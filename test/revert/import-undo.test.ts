import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { EXACT, ImportUndo } from './import-undo.ts';

/** Two slices of products. `node bench/undo.ts` does the same with 10,000 products and three kills. */
const PRODUCTS = 1_100;
const KILLS = 1;

let database: TestDatabase;
let owner: Connection;
let undo: ImportUndo;
beforeAll(async () => {
  database = await createDatabase();
  owner = connect(database.ownerUrl, { poolSize: 3, statementTimeoutMs: 60_000 });
  undo = await ImportUndo.open({ db: owner.db, url: database.url });
});
afterAll(async () => {
  await undo.stop();
  await owner.close();
  await database.drop();
});

it('takes back exactly what an import touched and nobody changed since, and lists the rest, although its process is killed', async () => {
  const result = await undo.play(PRODUCTS, KILLS);
  expect(result).toMatchObject(EXACT);
  expect(result.recordCount).toBeGreaterThanOrEqual(PRODUCTS);
  expect(result.conflictCount).toBeGreaterThan(0);
  expect(result.left).toBe(6);
}, 180_000);
