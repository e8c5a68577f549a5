import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkClientSecrets } from '../../../src/app/credentials/check-client-secrets.ts';
import { issueToken } from '../../../src/app/credentials/issue-token.ts';
import { reencryptClientSecrets } from '../../../src/app/credentials/reencrypt-client-secrets.ts';
import { rotateAppSecret } from '../../../src/app/credentials/rotate-app-secret.ts';
import { createApp, type NewApp } from '../../../src/app/create-app.ts';
import type { MerchantContext } from '../../../src/context.ts';
import type { SecretKey } from '../../../src/values/secret-key.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const newKey = () => createSecretKey(randomBytes(32));
const [former, current, lost] = [newKey(), newKey(), newKey()];
const both = [current, former];

let database: TestDatabase;
let ctx: MerchantContext;
let other: MerchantContext;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  [ctx, other] = [await newMerchant(), await newMerchant()];
});
afterAll(() => database.drop());

it('encrypts secrets of the former key under the first one, so that the former key can be removed', async () => {
  const app = await newApp(former);
  const clientSecret = await rotateAppSecret({ ...ctx, secretKey: former }, { ...app, overlapMs: 60_000 });
  expect(await reencryptClientSecrets({ ...ctx, secretKey: both })).toEqual({
    appCount: 1,
    changedCount: 1,
    lostIds: [],
  });
  for (const secret of [app.clientSecret, clientSecret])
    await expect(
      issueToken({ ...database, secretKey: current }, { ...app, clientSecret: secret }),
    ).resolves.toBeDefined();
});

it('changes nothing the second time, and nothing of other merchants', async () => {
  await newApp(former);
  const foreign = await newApp(former, other);
  await reencryptClientSecrets({ ...ctx, secretKey: both });
  expect(await reencryptClientSecrets({ ...ctx, secretKey: both })).toMatchObject({ changedCount: 0 });
  await expect(issueToken({ ...database, secretKey: former }, foreign)).resolves.toBeDefined();
});

it('names apps whose secret no key opens, and leaves them as they are', async () => {
  const [app, readable] = [await newApp(lost), await newApp(former)];
  const lostIds = [app.authorizedAppId];
  expect(await reencryptClientSecrets({ ...ctx, secretKey: both })).toEqual({ appCount: 2, changedCount: 1, lostIds });
  await expect(issueToken({ ...database, secretKey: lost }, app)).resolves.toBeDefined();
  await expect(issueToken({ ...database, secretKey: current }, readable)).resolves.toBeDefined();
});

it('is checked by doctor: secrets of a later key, and former secrets that do not open', async () => {
  const [one, two] = [await newApp(former), await newApp(lost)];
  await rotateAppSecret({ ...ctx, secretKey: current }, { ...two, overlapMs: 60_000 });
  const checked = { appCount: 2, outdatedIds: [one.authorizedAppId], formerLostIds: [two.authorizedAppId] };
  expect(await checkClientSecrets({ ...ctx, secretKey: both })).toEqual(checked);
  await expire(two);
  expect(await checkClientSecrets({ ...ctx, secretKey: both })).toMatchObject({ formerLostIds: [] });
});

async function expire({ authorizedAppId }: NewApp): Promise<void> {
  await ctx.db.execute(sql`
    update authorized_app set former_secret_until = now()
    where merchant_id = ${ctx.merchantId} and id = ${authorizedAppId}`);
}

async function newApp(secretKey: SecretKey, owner = ctx): Promise<NewApp> {
  return await createApp({ ...owner, secretKey }, { input: { name: 'Test', scopes: ['read_products'] } });
}

/** Without the app of `createContext`. */
async function newMerchant(): Promise<MerchantContext> {
  const { db, merchantId } = await createContext(database.db);
  await db.execute(sql`delete from authorized_app where merchant_id = ${merchantId}`);
  return { db, merchantId };
}
