import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { EXACT, HistoryRun } from './history-run.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Each run kills at other moments. */
const CHANGES = 110;
const KILLS = 3;

let database: TestDatabase;
let owner: Connection;
let run: HistoryRun;
beforeAll(async () => {
  database = await createDatabase();
  owner = connect(database.ownerUrl, { poolSize: 6, statementTimeoutMs: 20_000 });
  run = await HistoryRun.start({ db: owner.db, url: database.url });
});
afterAll(async () => {
  await run.stop();
  await owner.close();
  await database.drop();
});

it(`records each change exactly, by requests and by plain SQL, although the service is killed ${KILLS} times`, async () => {
  const result = await run.play({ changes: CHANGES, kills: KILLS });
  expect(result).toMatchObject(EXACT);
  expect(result.confirmed).toBeGreaterThan(CHANGES / 4);
}, 240_000);
