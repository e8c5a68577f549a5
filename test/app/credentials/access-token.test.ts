import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ACCESS_TOKEN_LIFETIME_S,
  findSession,
  issueAccessToken,
  openSessionCache,
  type SessionCache,
} from '../../../src/app/credentials/access-token.ts';
import { createApp, type NewApp } from '../../../src/app/create-app.ts';
import { deleteFormerSecrets } from '../../../src/app/credentials/delete-former-secrets.ts';
import { issueToken } from '../../../src/app/credentials/issue-token.ts';
import { revokeApp } from '../../../src/app/revoke-app.ts';
import { revokeToken } from '../../../src/app/credentials/revoke-token.ts';
import { reencryptClientSecrets } from '../../../src/app/credentials/reencrypt-client-secrets.ts';
import { createSignInCode, exchangeSignInCode } from '../../../src/app/credentials/sign-in-code.ts';
import { rotateAppSecret } from '../../../src/app/credentials/rotate-app-secret.ts';
import type { AppScope } from '../../../src/app-scope.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createMerchant } from '../../../src/merchant/create-merchant.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

const secretKey = createSecretKey(randomBytes(32));

let database: TestDatabase;
let merchantId: string;
let sessions: SessionCache;

beforeAll(async () => {
  database = await createDatabase();
  merchantId = await newMerchant();
});
afterAll(() => database.drop());
beforeEach(() => {
  sessions = openSessionCache();
});

describe('issueToken', () => {
  it('gives a token with all scopes of the app, and the token identifies the app', async () => {
    const app = await newApp(['read_products', 'write_customers']);
    const issued = await issueToken(asService(), app);
    expect(issued).toMatchObject({ expiresInS: 14_400, scopes: ['read_products', 'write_customers'] });
    expect(await findSession(asNode(), issued.accessToken)).toEqual({
      merchantId,
      authorizedAppId: app.authorizedAppId,
      scopes: new Set(['read_products', 'write_customers']),
      language: 'en',
      hasDynamicPriceLists: false,
      hasAutomatedCategories: false,
    });
  });

  it('makes tokens of 256 random bits that begin with their merchant', async () => {
    const app = await newApp();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async () => (await issueToken(asService(), app)).accessToken),
    );
    const [prefixes, randoms] = [
      tokens.map((token) => token.split('.')[0]!),
      tokens.map((token) => token.split('.')[1]!),
    ];
    expect(new Set(prefixes)).toEqual(
      new Set([Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url')]),
    );
    expect(new Set(randoms).size).toBe(20);
    for (const random of randoms) expect(Buffer.from(random, 'base64url')).toHaveLength(32);
  });

  // docs/reliability-tests.md: 5
  it('stores no token and no secret that can be read', async () => {
    const app = await newApp();
    const { accessToken } = await issueToken(asService(), app);
    const [stored] = await database.owner.execute<{ rows: string }>(sql`
      select (select string_agg(t::text, ' ') from access_token t) || (select string_agg(a::text, ' ') from authorized_app a) as rows`);
    const { rows } = stored!;
    expect(rows).toContain(app.clientId);
    for (const secret of [accessToken, accessToken.split('.')[1]!, app.clientSecret])
      expect(rows).not.toContain(secret);
  });

  it.each([
    ['read_products', ['read_products']],
    ['write_customers read_customers', ['write_customers', 'read_customers']],
    ['read_products,read_customers', ['read_products', 'read_customers']],
    [' read_products  read_products ', ['read_products']],
    ['', ['read_products', 'write_customers']],
    [null, ['read_products', 'write_customers']],
  ])('narrows the scopes to %j', async (scope, expected) => {
    const app = await newApp(['read_products', 'write_customers']);
    const issued = await issueToken(asService(), { ...app, scope });
    expect(issued.scopes).toEqual(expected);
    expect((await findSession(asNode(), issued.accessToken))!.scopes).toEqual(new Set(expected));
  });

  // docs/reliability-tests.md: 7
  it.each(['write_products', 'read_orders', 'READ_PRODUCTS', '*', 'read_products,admin', 'read_products;'])(
    'refuses the scope %j',
    async (scope) => {
      const app = await newApp(['read_products', 'write_customers']);
      await expect(issueToken(asService(), { ...app, scope })).rejects.toMatchObject({ code: 'invalid_scope' });
    },
  );

  it('gives the same refusal for a wrong secret, an unknown client and an invalid client id', async () => {
    const [app, other] = [await newApp(), await newApp()];
    const elsewhere = await newApp(undefined, await newMerchant());
    const wrong = [
      { ...app, clientSecret: other.clientSecret },
      { ...app, clientSecret: '' },
      { ...app, clientSecret: `${app.clientSecret}x` },
      { ...app, clientId: other.clientId },
      { ...app, clientId: elsewhere.clientId },
      { ...app, clientId: `${app.clientId}x` },
      ...['', 'nonsense', 'a\0b', '\ud800', `${'A'.repeat(22)}.${'A'.repeat(22)}`, 'x'.repeat(100_000)].map(
        (clientId) => ({ ...app, clientId }),
      ),
    ];
    const answers = await Promise.all(
      wrong.map((credentials) => issueToken(asService(), credentials).catch((error: unknown) => error)),
    );
    for (const answer of answers) expect(answer).toMatchObject({ code: 'invalid_client' });
    expect(new Set(answers.map((answer) => (answer as Error).message)).size).toBe(1);
  });

  it('removes expired tokens when it issues a new one', async () => {
    const app = await newApp();
    const tokens = [];
    for (let i = 0; i < 3; i++) tokens.push((await issueToken(asService(), app)).accessToken);
    await database.db.execute(sql`
      update access_token set expires_at = now() - interval '1 s' where merchant_id = ${merchantId} and authorized_app_id = ${app.authorizedAppId}`);
    await issueToken(asService(), app);
    expect(await countTokens(app)).toBe(1);
  });
});

describe('findSession', () => {
  it('says whether the merchant has automated categories', async () => {
    const owner = await newMerchant();
    const { accessToken } = await issueToken(asService(), await newApp(undefined, owner));
    const isTold = async (): Promise<boolean | undefined> =>
      (await findSession({ ...asNode(), sessions: openSessionCache() }, accessToken))!.hasAutomatedCategories;
    const saved = (isAutomated: boolean) => sql`
      insert into category (merchant_id, name, is_automated, conditions)
      values (${owner}, 'Cheap', ${isAutomated}, '[{"conditionType": "DISCOUNTED_PRODUCTS"}]')`;
    await database.db.execute(saved(false));
    expect(await isTold()).toBe(false);
    await database.db.execute(saved(true));
    expect(await isTold()).toBe(true);
  });

  it('finds English if plain SQL stored a language of the form of a tag that is none', async () => {
    const owner = await newMerchant();
    const { accessToken } = await issueToken(asService(), await newApp(undefined, owner));
    await database.db.execute(sql`update merchant set language = 'abcd' where merchant_id = ${owner}`);
    expect((await findSession(asNode(), accessToken))!.language).toBe('en');
  });

  // docs/reliability-tests.md: 4
  it('finds no expired token', async () => {
    const app = await newApp();
    const { accessToken } = await issueToken(asService(), app);
    const [stored] = await database.db.execute<{ lifetime: number }>(sql`
      select extract(epoch from expires_at - created_at)::int as lifetime from access_token
      where merchant_id = ${merchantId} and authorized_app_id = ${app.authorizedAppId}`);
    expect(stored!.lifetime).toBe(ACCESS_TOKEN_LIFETIME_S);
    await database.db.execute(sql`
      update access_token set expires_at = now() where merchant_id = ${merchantId} and authorized_app_id = ${app.authorizedAppId}`);
    expect(await findSession(asNode(), accessToken)).toBeNull();
  });

  it('finds no token that was changed, shortened, or given the id of another merchant', async () => {
    const { accessToken } = await issueToken(asService(), await newApp());
    const foreign = (await issueToken(asService(), await newApp(undefined, await newMerchant()))).accessToken;
    const [prefix, random] = accessToken.split('.');
    const changed = accessToken.endsWith('A') ? `${accessToken.slice(0, -1)}E` : `${accessToken.slice(0, -1)}A`;
    for (const token of [
      changed,
      random!,
      `${foreign.split('.')[0]}.${random}`,
      `${prefix}.`,
      '',
      'x',
      `${accessToken}=`,
      accessToken.repeat(1_000),
      `${prefix}\0${random}`,
    ]) {
      expect(await findSession(asNode(), token)).toBeNull();
    }
  });

  it('sends one query for concurrent requests and for those that follow', async () => {
    const { accessToken } = await issueToken(asService(), await newApp());
    database.statements.length = 0;
    const found = await Promise.all(Array.from({ length: 50 }, () => findSession(asNode(), accessToken)));
    await findSession(asNode(), accessToken);
    expect(new Set(found).size).toBe(1);
    // The other statement, an update, records the first use of the token.
    expect(database.statements.filter((statement) => !statement.trimStart().startsWith('update'))).toHaveLength(1);
  });

  it('does not cache unknown tokens', async () => {
    const unknown = (await issueToken(asService(), await newApp())).accessToken.replace(/\.../, '.--');
    expect(await findSession(asNode(), unknown)).toBeNull();
    expect(sessions.size).toBe(0);
  });

  it('queries again after the database has failed', async () => {
    const { accessToken } = await issueToken(asService(), await newApp());
    const failing = {
      ...asNode(),
      db: {
        select: () => {
          throw new Error('down');
        },
      } as never,
    };
    await expect(findSession(failing, accessToken)).rejects.toThrow('down');
    expect(await findSession(asNode(), accessToken)).not.toBeNull();
  });

  it('leaves out scopes that the app has lost', async () => {
    const app = await newApp(['read_products', 'write_customers']);
    const { accessToken } = await issueToken(asService(), app);
    await database.db.execute(sql`
      update authorized_app set scopes = '{read_customers}' where merchant_id = ${merchantId} and id = ${app.authorizedAppId}`);
    expect((await findSession(asNode(), accessToken))!.scopes).toEqual(new Set());
  });
});

describe('revoking', () => {
  // docs/reliability-tests.md: 4
  it('ends a token at once on this node, and within one second on a node that has it in its cache', async () => {
    const app = await newApp();
    const { accessToken } = await issueToken(asService(), app);
    const otherNode = { db: database.db, sessions: openSessionCache() };
    await findSession(asNode(), accessToken);
    await findSession(otherNode, accessToken);
    await revokeToken(asService(), { ...app, token: accessToken });
    const revokedAt = performance.now();
    expect(await findSession(asNode(), accessToken)).toBeNull();
    await vi.waitFor(async () => expect(await findSession(otherNode, accessToken)).toBeNull(), {
      timeout: 1_000,
      interval: 10,
    });
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
  });

  it('ends the credentials of an app, and all its tokens within one second', async () => {
    const app = await newApp();
    const { accessToken } = await issueToken(asService(), app);
    await findSession(asNode(), accessToken);
    await revokeApp({ db: database.db, merchantId }, app);
    await vi.waitFor(async () => expect(await findSession(asNode(), accessToken)).toBeNull(), {
      timeout: 1_000,
      interval: 10,
    });
    await expect(issueToken(asService(), app)).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(revokeApp({ db: database.db, merchantId }, app)).resolves.toBeUndefined();
    await expect(rotateAppSecret({ db: database.db, merchantId, secretKey }, app)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await countTokens(app)).toBe(0);
  });

  it('of an app refuses a token that is issued meanwhile', async () => {
    const app = await newApp();
    let issued: Promise<unknown> | undefined;
    await inTransaction({ db: database.db, merchantId }, async (ctx) => {
      await revokeApp(ctx, app);
      issued = issueToken(asService(), app).catch((error: unknown) => error);
      await waitForLocks(database.owner, 1);
    });
    expect(await issued).toMatchObject({ code: 'invalid_client' });
    expect(await countTokens(app)).toBe(0);
  });

  it('does not end the token of another app, and gives the same response', async () => {
    const [app, other] = [await newApp(), await newApp(undefined, await newMerchant())];
    const { accessToken } = await issueToken(asService(), app);
    for (const token of [accessToken, 'unknown'])
      await expect(revokeToken(asService(), { ...other, token })).resolves.toBeUndefined();
    expect(await findSession(asNode(), accessToken)).not.toBeNull();
    await expect(revokeToken(asService(), { ...app, clientSecret: 'x', token: accessToken })).rejects.toMatchObject({
      code: 'invalid_client',
    });
    expect(await findSession(asNode(), accessToken)).not.toBeNull();
  });
});

describe('rotateAppSecret', () => {
  it('ends the old secret, and the tokens and sign-in codes that were issued with it, but not those of others', async () => {
    const [app, other] = [await newApp(), await newApp()];
    const { accessToken } = await issueToken(asService(), app);
    const { accessToken: token } = await issueToken(asService(), other);
    const code = await createSignInCode({ db: database.db, merchantId }, { ...app, scopes: ['read_products'] });
    const clientSecret = await rotateAppSecret({ db: database.db, merchantId, secretKey }, app);
    await expect(issueToken(asService(), app)).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(exchangeSignInCode({ db: database.db }, code)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await findSession(asNode(), accessToken)).toBeNull();
    await expect(issueToken(asService(), { ...app, clientSecret })).resolves.toBeDefined();
    expect(await findSession(asNode(), token)).not.toBeNull();
  });

  it('keeps issued tokens during an overlap', async () => {
    const app = await newApp();
    const { accessToken } = await issueToken(asService(), app);
    await rotateAppSecret({ db: database.db, merchantId, secretKey }, { ...app, overlapMs: 60_000 });
    expect(await findSession(asNode(), accessToken)).not.toBeNull();
  });

  it('refuses a token that is issued with the old secret meanwhile', async () => {
    const app = await newApp();
    let issued: Promise<unknown> | undefined;
    await inTransaction({ db: database.db, merchantId }, async (ctx) => {
      await rotateAppSecret({ ...ctx, secretKey }, app);
      issued = issueToken(asService(), app).catch((error: unknown) => error);
      await waitForLocks(database.owner, 1);
    });
    expect(await issued).toMatchObject({ code: 'invalid_client' });
    expect(await countTokens(app)).toBe(0);
  });

  it('issues a token whose secret is encrypted under another key meanwhile', async () => {
    const app = await newApp();
    const keys = [createSecretKey(randomBytes(32)), secretKey];
    let issued: Promise<unknown> | undefined;
    await inTransaction({ db: database.db, merchantId }, async (ctx) => {
      await reencryptClientSecrets({ ...ctx, secretKey: keys });
      issued = issueToken({ ...asService(), secretKey: keys }, app);
      await waitForLocks(database.owner, 1);
    });
    await expect(issued).resolves.toBeDefined();
    await reencryptClientSecrets({ db: database.db, merchantId, secretKey: keys.toReversed() });
  });

  // docs/reliability-tests.md: 88
  it('keeps the old secret valid during the overlap, and then removes it', async () => {
    const app = await newApp();
    const clientSecret = await rotateAppSecret(
      { db: database.db, merchantId, secretKey },
      { ...app, overlapMs: 60_000 },
    );
    for (const secret of [app.clientSecret, clientSecret])
      await expect(issueToken(asService(), { ...app, clientSecret: secret })).resolves.toBeDefined();
    await expect(issueToken(asService(), { ...app, clientSecret: 'another' })).rejects.toMatchObject({
      code: 'invalid_client',
    });
    const former = async () =>
      (
        await database.db.execute(
          sql`select former_secret_encrypted as secret, former_secret_until as until from authorized_app where merchant_id = ${merchantId} and id = ${app.authorizedAppId}`,
        )
      )[0];
    await deleteFormerSecrets(database);
    expect(await former()).toEqual({ secret: expect.any(String), until: expect.anything() });
    await database.db.execute(
      sql`update authorized_app set former_secret_until = now() where merchant_id = ${merchantId} and id = ${app.authorizedAppId}`,
    );
    await expect(issueToken(asService(), app)).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(issueToken(asService(), { ...app, clientSecret })).resolves.toBeDefined();
    expect(await deleteFormerSecrets(database)).toBe(1);
    expect(await former()).toEqual({ secret: null, until: null });
  });

  it('ends the secret before the last one, and all old ones without an overlap', async () => {
    const app = await newApp();
    const rotate = (overlapMs?: number) =>
      rotateAppSecret({ db: database.db, merchantId, secretKey }, { ...app, overlapMs });
    const [second, third] = [await rotate(60_000), await rotate(60_000)];
    const isValid = async (clientSecret: string) =>
      await issueToken(asService(), { ...app, clientSecret }).then(
        () => true,
        () => false,
      );
    expect(await Promise.all([app.clientSecret, second, third].map(isValid))).toEqual([false, true, true]);
    const fourth = await rotate();
    expect(await Promise.all([second, third, fourth].map(isValid))).toEqual([false, false, true]);
  });

  it('counts a former secret that does not open as none', async () => {
    const lostKey = createSecretKey(randomBytes(32));
    const app = await createApp(
      { db: database.db, merchantId, secretKey: lostKey },
      { input: { name: 'Test', scopes: ['read_products'] } },
    );
    const clientSecret = await rotateAppSecret(
      { db: database.db, merchantId, secretKey },
      { ...app, overlapMs: 60_000 },
    );
    await expect(issueToken(asService(), app)).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(issueToken(asService(), { ...app, clientSecret })).resolves.toBeDefined();
  });

  it("answers NOT_FOUND for another merchant's app", async () => {
    const app = await newApp(undefined, await newMerchant());
    await expect(rotateAppSecret({ db: database.db, merchantId, secretKey }, app)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(revokeApp({ db: database.db, merchantId }, app)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(issueToken(asService(), app)).resolves.toBeDefined();
  });
});

it('issues tokens in parallel while expired ones are removed', async () => {
  const app = await newApp();
  await Promise.all(
    Array.from({ length: 30 }, () =>
      issueAccessToken({ db: database.db, merchantId }, { ...app, scopes: ['read_products'] }),
    ),
  );
  await database.db.execute(sql`
    update access_token set expires_at = now() where merchant_id = ${merchantId} and authorized_app_id = ${app.authorizedAppId}`);
  await Promise.all(
    Array.from({ length: 30 }, () =>
      issueAccessToken({ db: database.db, merchantId }, { ...app, scopes: ['read_products'] }),
    ),
  );
  expect(await countTokens(app)).toBe(30);
});

function asService() {
  return { db: database.db, secretKey, sessions };
}

function asNode() {
  return { db: database.db, sessions };
}

async function newMerchant(): Promise<string> {
  const input = { email: 'owner@example.com', firstName: 'Ada', lastName: `Lovelace ${newId()}` };
  return (await createMerchant({ db: database.db }, { input })).merchantId;
}

async function newApp(scopes: AppScope[] = ['read_products', 'write_products'], owner = merchantId): Promise<NewApp> {
  return await createApp({ db: database.db, merchantId: owner, secretKey }, { input: { name: 'Test', scopes } });
}

async function countTokens({ authorizedAppId }: NewApp): Promise<number> {
  const rows = await database.db.execute(sql`
    select from access_token where merchant_id = ${merchantId} and authorized_app_id = ${authorizedAppId}`);
  return rows.length;
}
