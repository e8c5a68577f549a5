import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { RELAY_CHANNEL } from '../../../src/db/connection/placement.ts';
import { RelayNotifier } from '../../../src/db/connection/relay-notifier.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('names each of many merchants once, and sends nothing to the service itself', async () => {
  const { db, listen, close } = connect(database.url, { poolSize: 1, statementTimeoutMs: 5_000 });
  const payloads: string[] = [];
  const unlisten = await listen(RELAY_CHANNEL, (payload) => payloads.push(payload));
  const { notify } = new RelayNotifier(db);
  const merchantIds = Array.from({ length: 500 }, newId);
  for (const merchantId of ['', ...merchantIds, ...merchantIds]) notify(merchantId);
  const named = (): string[] => payloads.flatMap((payload) => payload.split(','));
  // The first merchant is named twice: once at once, and once for its second transaction.
  await expect.poll(named).toHaveLength(501);
  expect(new Set(named())).toEqual(new Set(merchantIds));
  notify('');
  await wait(50);
  expect(named()).toHaveLength(501);
  await unlisten();
  await close();
});
