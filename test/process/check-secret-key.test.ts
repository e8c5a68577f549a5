import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, type NewApp } from '../../src/app/create-app.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import { checkSecretKey } from '../../src/process/check-secret-key.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startMain } from '../support/process.ts';

const [key, otherKey] = [randomBytes(32), randomBytes(32)];

let database: TestDatabase;
let merchantId: string;
beforeEach(async () => {
  database = await createDatabase();
  const input = { email: 'owner@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  ({ merchantId } = await createMerchant({ db: database.db }, { input }));
});
afterEach(() => database.drop());

it('says nothing without an app', async () => {
  expect(await warningsOf(otherKey)).toEqual([]);
});

it('says nothing if each secret opens, with the first key or a later one', async () => {
  await newApp(key);
  expect(await warningsOf(key)).toEqual([]);
  expect(await warningsOf(otherKey, key)).toEqual([]);
});

it('refuses a key that opens no secret, and names a way out for a lost key', async () => {
  const { authorizedAppId } = await newApp(key);
  const refused = warningsOf(otherKey);
  await expect(refused).rejects.toThrow(
    `The client secret of app ${authorizedAppId} does not open with this SECRET_KEY`,
  );
  await expect(refused).rejects.toThrow(`app rotate-secret ${authorizedAppId} --merchant ${merchantId}`);
});

it('ignores the secrets of revoked apps', async () => {
  await revokeApp({ db: database.db, merchantId }, await newApp(key));
  expect(await warningsOf(otherKey)).toEqual([]);
});

it('warns of a key that opens only some secrets', async () => {
  await newApp(key);
  const { authorizedAppId } = await newApp(otherKey);
  expect(await warningsOf(key)).toEqual([{ authorizedAppIds: [authorizedAppId] }]);
});

it.each(['all', 'api', 'worker'])('ends the start of a process with the role %s and another key', async (ROLE) => {
  await newApp(key);
  const start = startMain({ DATABASE_URL: database.url, SECRET_KEY: otherKey.toString('hex'), ROLE });
  await expect(start.then(async (service) => await service.stop())).rejects.toThrow(
    /does not open with this SECRET_KEY/,
  );
});

async function newApp(bytes: Buffer): Promise<NewApp> {
  const ctx = { db: database.db, merchantId, secretKey: createSecretKey(bytes) };
  return await createApp(ctx, { input: { name: 'Test', scopes: ['read_products'] } });
}

async function warningsOf(...keys: Buffer[]): Promise<object[]> {
  const warn = vi.fn<(details: object, message?: string) => void>();
  await checkSecretKey(
    database,
    keys.map((bytes) => createSecretKey(bytes)),
    { warn },
  );
  return warn.mock.calls.map(([details]) => details);
}
