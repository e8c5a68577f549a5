import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { appScopes } from '../../src/app-scope.ts';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { runCommand } from '../support/command.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { EARLIER_STATE } from '../support/earlier-state.ts';
import { createMigratedData } from '../support/migrated-data.ts';
import {
  type DataDir,
  databaseProcess,
  type Finished,
  run,
  type RunningProcess,
  startMain,
} from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Stands for the id of the first merchant. */
const FIRST = 'FIRST';

describe('on a database of its own', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createDatabase();
    env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  });
  afterAll(() => database.drop());

  it('creates merchants and apps, and tokens for them, starting with an empty database', async () => {
    const none = await admin(env, 'app', 'create');
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('merchant create') });

    const first = await answer(env, 'merchant', 'create');
    const second = await answer(
      env,
      'merchant',
      'create',
      '--name',
      'Ada GmbH',
      '--email',
      'ada@example.com',
      '--first-name',
      'Ada',
      '--last-name',
      'L',
      '--currency',
      'EUR',
      '--region',
      'EU',
      '--language',
      'de',
    );
    expect(first).toEqual({ merchantId: expect.stringMatching(UUID), merchantSequence: 1 });
    const time = expect.any(Number);
    const others = { createdAt: time, historySince: time, isHistoryFull: false, isStockHeldFull: false };
    expect(await answer(env, 'merchant', 'list')).toEqual([
      { ...first, merchantName: 'New merchant', email: 'merchant@example.com', ...others },
      { ...second, merchantName: 'Ada GmbH', email: 'ada@example.com', ...others },
    ]);

    const all = await answer(env, 'app', 'create');
    expect(all).toMatchObject({
      merchantId: first.merchantId,
      authorizedAppId: expect.stringMatching(UUID),
      scopes: [...appScopes],
    });
    const app = await answer(
      env,
      'app',
      'create',
      '--merchant',
      String(second.merchantId),
      '--scopes',
      'read_products, write_customers,read_products',
      '--name',
      'Till',
    );
    expect(app['scopes']).toEqual(['read_products', 'write_customers']);
    expect(merchantOf(String(app.clientId))).toBe(second.merchantId);
    expect(await answer(env, 'app', 'list', '--merchant', String(second.merchantId))).toMatchObject([
      { clientId: app.clientId, name: 'Till', revokedAt: null },
    ]);

    const credentials = ['--client-id', String(app.clientId), '--client-secret', String(app.clientSecret)];
    expect(await answer(env, 'token', ...credentials)).toEqual({
      access_token: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 14_400,
      scope: 'read_products,write_customers',
    });
    expect(await answer(env, 'token', ...credentials, '--scopes', 'read_customers')).toMatchObject({
      scope: 'read_customers',
    });
    expect((await admin(env, 'token', ...credentials, '--raw')).stdout).toMatch(/^[\w-]{22}\.[\w-]{43}\n$/);
    expect(await admin(env, 'token', ...credentials, '--scopes', 'write_products')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^invalid_scope: /),
    });

    const rotated = await answer(env, 'app', 'rotate-secret', String(app.clientId));
    expect(rotated).toMatchObject({ authorizedAppId: app.authorizedAppId, merchantId: second.merchantId });
    expect(await admin(env, 'token', ...credentials)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^invalid_client: /),
    });
    await answer(env, 'token', '--client-id', String(app.clientId), '--client-secret', String(rotated.clientSecret));

    const overlapping = await answer(env, 'app', 'rotate-secret', String(app.clientId), '--overlap', '24h');
    expect(Math.abs(Number(overlapping.formerSecretUntil) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    for (const { clientSecret } of [rotated, overlapping])
      await answer(env, 'token', '--client-id', String(app.clientId), `--client-secret=${String(clientSecret)}`);
    for (const overlap of ['24', '0h', '31d', '1w', 'soon']) {
      expect(await admin(env, 'app', 'rotate-secret', String(app.clientId), '--overlap', overlap)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('90m, 24h or 7d'),
      });
    }

    await answer(env, 'app', 'revoke', String(app.authorizedAppId), '--merchant', String(second.merchantId));
    expect(await answer(env, 'app', 'list', '--merchant', String(second.merchantId))).toMatchObject([
      { revokedAt: expect.any(Number) },
    ]);
    expect(
      await admin(
        env,
        'token',
        '--client-id',
        String(app.clientId),
        '--client-secret',
        String(overlapping.clientSecret),
      ),
    ).toMatchObject({ code: 1 });
    expect(await admin(env, 'token')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no demo app here'),
    });
  });

  it('creates the demo merchant once, besides others, and tokens for its app', async () => {
    const before = (await answer(env, 'merchant', 'list')) as unknown as object[];
    const made = await answerOfProcess(env, 'demo');
    expect(made).toEqual({
      merchantId: expect.stringMatching(UUID),
      authorizedAppId: expect.stringMatching(UUID),
      created: true,
    });
    expect(await answer(env, 'demo')).toEqual({ ...made, created: false });
    expect(await answer(env, 'merchant', 'list')).toEqual([
      ...before,
      expect.objectContaining({ merchantId: made.merchantId, merchantName: 'Demo merchant' }),
    ]);
    const { access_token: token, scope } = await answer(env, 'token');
    expect([merchantOf(String(token)), scope]).toEqual([made.merchantId, appScopes.join(',')]);
  });

  it('creates another demo app for the same merchant after the first one is revoked', async () => {
    const { authorizedAppId, merchantId } = await answer(env, 'demo');
    await answer(env, 'app', 'revoke', String(authorizedAppId), '--merchant', String(merchantId));
    const again = await answer(env, 'demo');
    expect(again).toMatchObject({ merchantId, created: true });
    expect(again.authorizedAppId).not.toBe(authorizedAppId);
    expect(merchantOf(String((await answer(env, 'token')).access_token))).toBe(merchantId);
  });

  it('says that it does not know the URL of the owner without MIGRATION_DATABASE_URL', async () => {
    const { stdout, stderr } = await admin(env, 'db', 'url', '--raw');
    expect(stdout).toBe(`${database.url}\n`);
    expect(stderr).toMatch(/^MIGRATION_DATABASE_URL is not set.* DATABASE_URL/);
    const withOwner = { ...env, MIGRATION_DATABASE_URL: database.ownerUrl };
    expect((await admin(withOwner, 'db', 'url')).stderr).toBe('');
    expect((await admin(env, 'db', 'url', '--serving')).stderr).toBe('');
  });

  it('prints the URL of the database, migrates it and checks it', async () => {
    expect(await answer(env, 'db', 'url')).toEqual({ url: database.url });
    expect((await admin(env, 'db', 'url', '--raw')).stdout).toBe(`${database.url}\n`);
    const withOwner = { ...env, MIGRATION_DATABASE_URL: database.ownerUrl };
    expect(await answer(withOwner, 'db', 'url')).toEqual({ url: database.ownerUrl });
    expect(await answer(withOwner, 'db', 'url', '--serving')).toEqual({ url: database.url });
    expect(await answerOfProcess(withOwner, 'migrate')).toEqual({ migrated: true });
    expect(await answer(env, 'migrate')).toEqual({ migrated: true });
    expect(await answer(env, 'doctor')).toMatchObject({ ok: true });
    const otherKey = await admin({ ...env, SECRET_KEY: randomBytes(32).toString('hex') }, 'doctor');
    expect(otherKey.code).toBe(1);
    expect(JSON.parse(otherKey.stdout)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'clientSecrets', ok: false })]),
    });
  });

  it('refuses to migrate a database from before the first release, which doctor reports', async () => {
    const earlier = await createEmptyDatabase();
    const client = connectOnce(earlier.ownerUrl);
    await client.unsafe(EARLIER_STATE);
    const environment = { ...env, DATABASE_URL: earlier.ownerUrl };
    const sentence = /^This database was made by a version from before the first release, .*new database.*\n$/;
    for (const args of [['migrate'], ['merchant', 'create', '--email', 'owner@example.com'], ['merchant', 'list']]) {
      expect(await admin(environment, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
    }
    const examined = await admin(environment, 'doctor');
    expect(examined.code).toBe(1);
    expect(JSON.parse(examined.stdout)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'migrations',
          ok: false,
          detail: expect.stringContaining('before the first release'),
        }),
      ]),
    });
    expect([...(await client`select * from merchant`)]).toEqual([{ name: 'Of before' }]);
    await client.end();
    await earlier.drop();
  });

  it('prints what to do if tables are missing, or the database or the configuration is wrong', async () => {
    const empty = new URL(database.url);
    empty.pathname = '/postgres';
    expect(await admin({ ...env, DATABASE_URL: empty.href }, 'merchant', 'list')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('npm run admin -- migrate'),
    });
    empty.pathname = '/nowhere';
    expect(await admin({ ...env, DATABASE_URL: empty.href }, 'merchant', 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database cannot be reached: .*nowhere.*\n$/),
    });
    expect(await admin({ DATABASE_URL: database.url }, 'merchant', 'list')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SECRET_KEY is required'),
    });
  });

  it.each([
    ['frobnicate'],
    ['app', 'create', '--scopes', 'read_everything'],
    ['app', 'revoke'],
    ['token', '--client-id', 'x'],
    ['merchant', 'create', 'surplus'],
    ['merchant', 'create', '--colour', 'red'],
  ])('refuses %s %s %s with code 2 and nothing on stdout', async (...args) => {
    expect(await admin(env, ...args.filter((arg) => arg !== undefined))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: /),
    });
  });

  it.each([
    [['app', 'create', '--merchant', 'nobody'], /^NOT_FOUND: Merchant not found: nobody\n$/],
    [
      ['app', 'revoke', 'nothing', '--merchant', FIRST],
      /^NOT_FOUND: The merchant has no app with the name or id "nothing"\. Its apps: App\.\n$/,
    ],
    [['merchant', 'create', '--email', 'nobody'], /^ARGUMENT_VALIDATION_ERROR: input\.email: /],
    [['app', 'create', '--email', 'nobody'], /^ARGUMENT_VALIDATION_ERROR: input\.email: /],
  ])('reports that %j is unknown, with code 1', async (args, message) => {
    const [first] = (await answer(env, 'merchant', 'list')) as unknown as [{ merchantId: string }];
    const given = args.map((arg) => (arg === FIRST ? first.merchantId : arg));
    expect(await admin(env, ...given)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });
});

// Here each command is a process of its own: it starts and stops a database, or uses the one of another process.
describe('on the embedded default', () => {
  let data: DataDir;
  let env: Record<string, string>;
  beforeAll(async () => {
    data = await createMigratedData();
    env = { DATA_DIR: data.path };
  });
  afterAll(() => data.remove());

  it('starts and stops the database if the service does not run', async () => {
    await (await startMain(env)).stop();
    expect(await answerOfProcess(env, 'token')).toMatchObject({
      token_type: 'Bearer',
      scope: appScopes.join(','),
    });
    expect(await databaseProcess(data.path)).toBeNull();
    const url = await start(env, 'db', 'url').finished;
    expect(url).toMatchObject({ code: 0, stderr: expect.stringContaining('start the service first') });
  });

  it('uses the database of a running service, and does not stop it', async () => {
    const service = await startMain(env);
    const before = await databaseProcess(data.path);
    const issued = await answerOfProcess(env, 'token', '--scopes', 'read_products');
    const shop = await answerOfProcess(env, 'merchant', 'create');
    const app = await answerOfProcess(env, 'app', 'create', '--merchant', String(shop.merchantId));
    const foreign = await answerOfProcess(
      env,
      'token',
      '--client-id',
      String(app.clientId),
      '--client-secret',
      String(app.clientSecret),
    );
    expect(await whoAmI(service.url, issued.access_token)).toMatchObject({ me: { name: 'Demo app' } });
    expect(await whoAmI(service.url, foreign.access_token)).toMatchObject({ getMerchant: { id: shop.merchantId } });
    expect((await start(env, 'db', 'url').finished).stderr).toBe('');
    expect(await databaseProcess(data.path)).toBe(before);
    await answerOfProcess(env, 'app', 'revoke', String(app.clientId));
    await vi.waitFor(async () => expect(await whoAmI(service.url, foreign.access_token)).toBeUndefined(), {
      timeout: 1_000,
    });
    expect(await service.stop()).toMatchObject({ code: 0 });
  });
});

async function admin(env: Record<string, string>, ...args: string[]): Promise<Finished> {
  return await runCommand(args, env);
}

function start(env: Record<string, string>, ...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', args, env);
}

/** Runs a command that must succeed, and returns its line of JSON. */
async function answer(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  return answerIn(await admin(env, ...args));
}

async function answerOfProcess(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  return answerIn(await start(env, ...args).finished);
}

function answerIn({ code, stdout, stderr }: Finished): Record<string, unknown> {
  expect({ code, lines: stdout.trimEnd().split('\n').length }, stderr).toEqual({ code: 0, lines: 1 });
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function whoAmI(url: string, token: unknown): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/admin/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ me { name } getMerchant { id } }' }),
  });
  return ((await response.json()) as { data?: unknown }).data;
}
