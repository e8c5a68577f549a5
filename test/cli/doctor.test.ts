import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createConnection, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { runCommand } from '../support/command.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { createMigratedData } from '../support/migrated-data.ts';
import { createDataDir, type DataDir, type Finished, run, startMain } from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const LAYERS = [
  'configuration',
  'driver',
  'address',
  'password',
  'database',
  'postgresVersion',
  'encoding',
  'rights',
  'servingRole',
  'extensions',
  'locale',
  'collations',
  'settings',
  'migrations',
  'nodes',
  'clientSecrets',
  'queue',
  'histories',
  'holds',
  'erasures',
  'storage',
  'decoder',
  'clock',
  'worker',
];

type Finding = { name: string; ok: boolean; tried: string; detail: string; repair?: string };
type Environment = Record<string, string>;
type Doctor = (environment: Environment) => Promise<Finished>;

let database: TestDatabase;
let data: DataDir;
let env: Environment;
let onlyApi: ReturnType<typeof checkOnlyApi>;
const opened: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createDatabase();
  data = await createDataDir();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: data.path };
  onlyApi = checkOnlyApi();
  // A failure is reported by the test that awaits it.
  onlyApi.catch(() => undefined);
});
afterAll(async () => {
  await onlyApi.catch(() => undefined);
  await database.drop();
  await data.remove();
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

describe('a valid set-up', () => {
  it('passes the check of each layer, and doctor says that no service is running', async () => {
    const { code, checks, stderr } = await doctor(env, asProcess);
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual(LAYERS.map((name) => [name, true]));
    expect(code).toBe(0);
    expect(checks.at(-1)!.detail).toContain('not running');
    expect(checks.find(({ name }) => name === 'nodes')!.detail).toBe('one server; no products');
    expect(stderr.trimEnd().split('\n')).toEqual(
      checks.map(({ name, tried, detail }) => `ok     ${name}: tried to ${tried}: ${detail}`),
    );
  });

  it('may have merchants whose history is full, or that have too many holds or receipts without a copy', async () => {
    const { merchantId } = JSON.parse(await runAdmin(env, 'merchant', 'create')) as { merchantId: string };
    await database.db.execute(sql`
      update merchant set is_history_full = true, is_stock_held_full = true where merchant_id = ${merchantId}`);
    await database.db.execute(sql`
      insert into erasure (merchant_id, id, customer_ids, items, created_at)
      select ${merchantId}, uuid_v7(), '{}', '[]', now() - make_interval(mins => n) from generate_series(9, 12) n`);
    const { code, checks } = await doctor(env);
    expect(code).toBe(0);
    const detailOf = (check: string) => checks.find(({ name }) => name === check)!.detail;
    expect(detailOf('histories')).toContain(`without their values: ${merchantId}`);
    expect(detailOf('holds')).toContain(`new ones are refused: ${merchantId}`);
    expect(detailOf('erasures')).toContain('3 have none');
  });

  it.each([
    ['in DATA_DIR', (path: string) => ({ ERASURE_LOG: join(path, 'erasures.log') }), true],
    ['in the pictures in DATA_DIR', () => ({ ERASURE_LOG: 'storage' }), true],
    ['in another folder', () => ({ ERASURE_LOG: join(tmpdir(), 'erasures.log') }), false],
    [
      'in pictures in another folder',
      () => ({ ERASURE_LOG: 'storage', STORAGE_URL: `file://${tmpdir()}/none` }),
      false,
    ],
  ])('warns of receipts on the machine of the database: %s', async (_, settings, isWarned) => {
    const own = await ownDatabase();
    const { code, checks } = await doctor({ ...env, DATABASE_URL: own.url, ...settings(data.path) });
    const found = checks.find(({ name }) => name === 'erasures')!;
    expect([code, found.ok, 'warning' in found]).toEqual([0, true, isWarned]);
    if (isWarned) expect(found.detail).toContain(data.path);
  });

  it('may have indexes that were built with another version of ICU, and is warned of it', async () => {
    const own = await ownDatabase();
    const name = new URL(own.url).pathname.slice(1);
    await own.owner.execute(`update pg_collation set collversion = '1.0' where collname = 'und-x-icu'`);
    await own.owner.execute(`update pg_database set datcollversion = '1.0' where datname = current_database()`);
    const { code, checks } = await doctor({ ...env, DATABASE_URL: own.url });
    expect(code).toBe(0);
    const found = checks.find((check) => check.name === 'collations')!;
    expect(found).toMatchObject({ ok: true, warning: true, detail: expect.stringContaining('1.0') });
    expect(found.repair).toMatch(
      new RegExp(`^psql -v ON_ERROR_STOP=1 -h \\S+ -p \\d+ -U postgres -d ${name} -c 'reindex database ${name}' -c `),
    );
    for (const [, statement] of found.repair!.matchAll(/-c '([^']+)'/g)) await own.owner.execute(statement!);
    const repaired = (await doctor({ ...env, DATABASE_URL: own.url })).checks;
    expect(repaired.find((check) => check.name === 'collations')).not.toHaveProperty('warning');
  });

  it('may have a pooler that drops the settings of connections, and is warned of it', async () => {
    const url = await openDroppingPooler(database.url);
    const { code, checks } = await doctor({ ...env, DATABASE_URL: url });
    expect(code).toBe(0);
    const { detail, repair } = checks.find((check) => check.name === 'settings')!;
    expect(detail).toMatch(/^statement_timeout is 0, idle_in_transaction_session_timeout is 0, jit is on: a pooler/);
    const role = new URL(database.url).username;
    expect(repair).toContain(`alter role ${role} set statement_timeout = '\\''15s'\\'';`);
  });

  it('has a worker that takes the test job', async () => {
    const service = await startMain(env);
    opened.push(() => service.stop());
    const { code, checks } = await doctor(env);
    expect([code, checks.at(-1)]).toEqual([
      0,
      expect.objectContaining({
        name: 'worker',
        ok: true,
        detail: expect.stringMatching(/^removed the job after \d+ ms$/),
      }),
    ]);
    expect(await jobs(database)).toEqual([]);
  });

  it('may have the embedded database, which doctor starts and stops', async () => {
    const embedded = await createMigratedData();
    opened.push(() => embedded.remove());
    const service = await startMain({ DATA_DIR: embedded.path });
    await service.stop();
    const { code, checks } = await doctor({ DATA_DIR: embedded.path }, asProcess);
    expect([code, checks.map(({ name }) => name)]).toEqual([0, LAYERS]);
  });
});

describe('doctor stops at the broken layer and names the command that repairs it:', () => {
  it('configuration', async () => {
    const { DATABASE_URL } = env;
    const broken = await brokenLayer({ DATABASE_URL: DATABASE_URL!, POOL_SIZE: 'many' });
    expect(broken).toMatchObject({ name: 'configuration', detail: expect.stringContaining('POOL_SIZE') });
    expect(broken.detail).toContain('SECRET_KEY is required');
    expect(broken.repair).toContain('docs/configuration.md');
  });

  it('no database, and creates none', async () => {
    const empty = await createDataDir();
    opened.push(() => empty.remove());
    const broken = await brokenLayer({ DATA_DIR: empty.path });
    expect(broken).toMatchObject({ name: 'address', repair: 'npm start' });
    expect(broken.detail).toContain(empty.path);
    expect(await readdir(empty.path)).toEqual([]);
  });

  it('a driver without its patch', async () => {
    const running = run('--import', ['./test/support/unpatched-driver.ts', 'src/cli/admin.ts', 'doctor'], env);
    const { code, stdout } = await running.finished;
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        ok: false,
        checks: [
          expect.objectContaining({ ok: true }),
          expect.objectContaining({ name: 'driver', repair: 'npx patch-package' }),
        ],
      },
    ]);
  });

  it.each([
    ['a host without a name server entry', { hostname: 'nowhere.invalid' }, /nowhere\.invalid:\d+ cannot be reached/],
    ['a port on which nothing listens', { port: '1' }, /:1 cannot be reached: ECONNREFUSED/],
  ])('address: %s', async (_, part, detail) => {
    const broken = await brokenLayer({ ...env, DATABASE_URL: urlWith(part) });
    expect(broken).toMatchObject({ name: 'address', detail: expect.stringMatching(detail) });
    expect(broken.repair).toMatch(/^pg_isready -h [\w.]+ -p \d+/);
  });

  it('address: another server than PostgreSQL', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    opened.push(async () => other.close());
    const { port } = other.address() as AddressInfo;
    const broken = await brokenLayer({ ...env, DATABASE_URL: urlWith({ port: String(port) }) });
    expect(broken).toMatchObject({ name: 'address', detail: expect.stringContaining('not PostgreSQL') });
  });

  it('password', async () => {
    const broken = await brokenLayer({ ...env, DATABASE_URL: urlWith({ password: 'hunter2' }) });
    expect(broken).toMatchObject({
      name: 'password',
      detail: expect.stringContaining('password authentication failed'),
    });
    expect(broken.repair).toContain(`\\password ${new URL(database.url).username}`);
    expect(JSON.stringify(broken)).not.toContain('hunter2');
  });

  it('password of the owner', async () => {
    const broken = await brokenLayer({
      ...env,
      MIGRATION_DATABASE_URL: urlWith({ password: 'hunter2' }, database.ownerUrl),
    });
    expect(broken).toMatchObject({ name: 'password', detail: expect.stringContaining('MIGRATION_DATABASE_URL') });
  });

  it('database', async () => {
    const broken = await brokenLayer({ ...env, DATABASE_URL: urlWith({ pathname: '/nowhere' }) });
    expect(broken).toMatchObject({ name: 'database', detail: expect.stringContaining('"nowhere" does not exist') });
    expect(broken.repair).toMatch(/^createdb -h .* --owner=\w+ .* nowhere && npm run admin -- migrate$/);
  });

  it('rights: a role that may not read a table', async () => {
    const own = await ownDatabase();
    await own.owner.execute(`revoke select on product from ${new URL(own.url).username}`);
    const broken = await brokenLayer({ ...env, DATABASE_URL: own.url });
    expect(broken).toMatchObject({ name: 'rights', detail: 'missing: select on table public.product' });
    expect(broken.repair).toContain('MIGRATION_DATABASE_URL=postgres://OWNER:PASSWORD@');
    await runAdmin({ ...env, DATABASE_URL: own.url, MIGRATION_DATABASE_URL: own.ownerUrl }, 'migrate');
    expect(await doctor({ ...env, DATABASE_URL: own.url })).toMatchObject({ code: 0 });
  });

  it('rights: a role for statements over several merchants that may not read a table', async () => {
    const own = await ownDatabase();
    const { username } = new URL(own.acrossUrl);
    const both = { ...env, DATABASE_URL: own.url, CROSS_MERCHANT_DATABASE_URL: own.acrossUrl };
    await own.owner.execute(`revoke select on webhook from ${username}`);
    expect(await brokenLayer(both)).toMatchObject({
      name: 'rights',
      detail: `missing: select on table public.webhook for ${username}`,
    });
    await runAdmin({ ...both, MIGRATION_DATABASE_URL: own.ownerUrl }, 'migrate');
    await own.owner.execute(`grant delete on webhook to ${username}`);
    const { code, checks } = await doctor(both);
    expect(code).toBe(0);
    expect(checks.find(({ name }) => name === 'servingRole')).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining(`${username} may write tables, such as webhook`),
      repair: expect.stringContaining(`revoke insert, update, delete, truncate on all tables in schema public`),
    });
  });

  it('rights: a role that may not create the tables', async () => {
    const empty = await createEmptyDatabase();
    opened.push(() => empty.drop());
    expect(await brokenLayer({ ...env, DATABASE_URL: empty.url })).toMatchObject({
      name: 'rights',
      detail: expect.stringContaining('may not create'),
    });
  });

  it('rights: a role that may not add the tables of a new version', async () => {
    const own = await ownDatabase();
    const { host, pathname, username } = new URL(own.url);
    await own.owner.execute(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
    );
    expect(await brokenLayer({ ...env, DATABASE_URL: own.url })).toMatchObject({
      name: 'rights',
      detail: `tables of this version are missing, and ${username} may not create them`,
      repair: `MIGRATION_DATABASE_URL=postgres://OWNER:PASSWORD@${host}${pathname} npm run admin -- migrate`,
    });
  });

  it('extensions', async () => {
    const own = await ownDatabase();
    await own.owner.execute('drop extension fuzzystrmatch cascade');
    const broken = await brokenLayer({ ...env, DATABASE_URL: own.url });
    expect(broken).toMatchObject({ name: 'extensions', detail: 'fuzzystrmatch missing' });
    await own.owner.execute(statementOf(broken.repair!));
    expect(await doctor({ ...env, DATABASE_URL: own.url })).toMatchObject({ code: 0 });
  });

  it('locale', async () => {
    const url = await databaseWith(`template template0 encoding 'UTF8' lc_ctype 'C'`);
    const broken = await brokenLayer({ ...env, DATABASE_URL: url });
    expect(broken).toMatchObject({ name: 'locale', detail: expect.stringContaining('LC_CTYPE is C') });
    expect(broken.repair).toMatch(/^createdb .*--locale=C\.UTF-8/);
  });

  it('encoding', async () => {
    const url = await databaseWith(`template template0 encoding 'LATIN1' locale 'C' locale_provider libc`);
    expect(await brokenLayer({ ...env, DATABASE_URL: url })).toMatchObject({
      name: 'encoding',
      detail: 'LATIN1, but UTF8 is needed',
    });
  });

  it('migrations', async () => {
    const empty = await createEmptyDatabase();
    opened.push(() => empty.drop());
    const own = { ...env, DATABASE_URL: empty.ownerUrl };
    const broken = await brokenLayer(own);
    expect(broken).toMatchObject({ name: 'migrations', repair: 'npm run admin -- migrate' });
    await runAdmin(own, 'migrate');
    expect(await doctor(own)).toMatchObject({ code: 0 });
  });

  it('the key of the client secrets', async () => {
    const own = await ownDatabase();
    const first = { ...env, DATABASE_URL: own.url };
    await runAdmin(first, 'merchant', 'create');
    await runAdmin(first, 'app', 'create');
    const broken = await brokenLayer({ ...first, SECRET_KEY: randomBytes(32).toString('hex') });
    expect(broken).toMatchObject({ name: 'clientSecrets', detail: expect.stringContaining('SECRET_KEY') });
    expect(broken.repair).toContain('SECRET_KEY');
  });

  it('the secret of an app of any merchant, unless it is revoked', async () => {
    const own = await ownDatabase();
    const first = { ...env, DATABASE_URL: own.url };
    await runAdmin(first, 'merchant', 'create');
    const { merchantId } = JSON.parse(await runAdmin(first, 'merchant', 'create'));
    const { authorizedAppId } = JSON.parse(await runAdmin(first, 'app', 'create', '--merchant', merchantId));
    const other = { ...first, SECRET_KEY: randomBytes(32).toString('hex') };
    const broken = await brokenLayer(other);
    expect(broken.detail).toContain(authorizedAppId);
    expect(broken.repair).toContain(`app rotate-secret APP --merchant ${merchantId}`);
    await runAdmin(other, 'app', 'revoke', authorizedAppId, '--merchant', merchantId);
    expect(await doctor(other)).toMatchObject({ code: 0 });
  });

  it('a former secret that does not open, and then a key that is no longer needed', async () => {
    const own = await ownDatabase();
    const first = { ...env, DATABASE_URL: own.url };
    await runAdmin(first, 'merchant', 'create');
    const { authorizedAppId } = JSON.parse(await runAdmin(first, 'app', 'create'));
    const newKey = randomBytes(32).toString('hex');
    await runAdmin({ ...first, SECRET_KEY: newKey }, 'app', 'rotate-secret', authorizedAppId, '--overlap', '1h');
    const found = async (SECRET_KEY: string): Promise<Finding> => {
      const { checks } = await doctor({ ...first, SECRET_KEY });
      return checks.find(({ name }) => name === 'clientSecrets')!;
    };
    expect(await found(newKey)).toMatchObject({
      ok: true,
      warning: true,
      repair: expect.stringContaining('KEY,FORMER'),
    });
    const both = `${newKey},${env['SECRET_KEY']}`;
    expect(await found(both)).toMatchObject({ warning: true, repair: 'npm run admin -- app reencrypt' });
    const reencrypted = await runAdmin({ ...first, SECRET_KEY: both }, 'app', 'reencrypt');
    expect(JSON.parse(reencrypted)).toEqual({ apps: 1, reencrypted: 1, lost: [] });
    expect((await found(both)).detail).toContain('the others can be removed');
    expect(await found(newKey)).toMatchObject({ ok: true, detail: '1 open with the SECRET_KEY' });
  });

  it('queue', async () => {
    const own = await ownDatabase();
    await own.owner.execute(`select pgboss.delete_queue('webhook-delivery')`);
    const broken = await brokenLayer({ ...env, DATABASE_URL: own.url });
    expect(broken.name).toBe('queue');
    await own.owner.execute(statementOf(broken.repair!));
    await migrate(own.ownerUrl, own.url);
    expect(await doctor({ ...env, DATABASE_URL: own.url })).toMatchObject({ code: 0 });
  });

  it('storage', async () => {
    const file = join(data.path, 'a-file');
    await writeFile(file, '');
    const broken = await brokenLayer({ ...env, STORAGE_URL: pathToFileURL(join(file, 'images')).href });
    expect(broken).toMatchObject({ name: 'storage', detail: expect.stringContaining(file) });
    expect(broken.repair).toContain(`mkdir -p ${join(file, 'images')}`);
  });

  it('storage in a file system that accepts no folders', async () => {
    const broken = await brokenLayer({ ...env, STORAGE_URL: 'file:///proc/none' });
    const detail = 'file:///proc/none: /proc/none cannot be created: /proc accepts no folders';
    expect(broken).toMatchObject({ name: 'storage', detail, repair: expect.stringMatching(/^export STORAGE_URL=/) });
  });

  it.each(['of an object that does not exist', 'of a list'])(
    'storage in a bucket that refuses requests %s: the permission s3:ListBucket is missing',
    async (refused) => {
      const endpoint = await startBucket((isList) => isList === (refused === 'of a list'));
      const broken = await brokenLayer({
        ...env,
        STORAGE_URL: `s3://pictures?region=x&forcePathStyle=true&endpoint=${endpoint}`,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'key',
      });
      expect(broken).toMatchObject({ name: 'storage', detail: expect.stringContaining('Access Denied') });
      expect(broken.repair).toContain('s3:ListBucket');
    },
  );

  it('clock', async () => {
    const own = await ownDatabase();
    const name = new URL(own.url).pathname.slice(1);
    await own.owner.execute(
      `create function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '1 minute' $$`,
    );
    await own.owner.execute(`alter database ${name} set search_path = public, pg_catalog`);
    const broken = await brokenLayer({ ...env, DATABASE_URL: own.url });
    expect(broken).toMatchObject({ name: 'clock', detail: expect.stringMatching(/(59|60)\d{3} ms away/) });
    expect(broken.repair).toContain('timedatectl');
  });

  it('worker: only an API runs', async () => {
    const { broken, remaining } = await onlyApi;
    expect(broken).toMatchObject({ name: 'worker', repair: 'ROLE=worker npm start' });
    expect(remaining).toEqual([]);
  });
});

/** Doctor waits ten seconds for a worker. Its process begins with the first test, so that the others run meanwhile. */
async function checkOnlyApi() {
  const own = await createDatabase();
  const environment = { ...env, DATABASE_URL: own.url };
  const api = await startMain({ ...environment, ROLE: 'api' });
  const broken = await brokenLayer(environment, asProcess);
  const remaining = await jobs(own);
  await api.stop();
  await own.drop();
  return { broken, remaining };
}

/**
 * Serves a bucket: objects that were written can be read. Refuses lists, or requests for other objects, with 403 if
 * `isRefused` says so.
 */
async function startBucket(isRefused: (isList: boolean) => boolean): Promise<string> {
  const objects = new Map<string, Buffer>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url } = request;
    const [path, query = ''] = url!.split('?') as [string, string?];
    const isList = query.includes('list-type=2');
    if (method === 'PUT') objects.set(path, await buffer(request));
    if (method === 'DELETE') objects.delete(path);
    if (method !== 'GET' || objects.has(path)) return void response.end(objects.get(path));
    const [status, code, message] = isRefused(isList)
      ? [403, 'AccessDenied', 'Access Denied']
      : [isList ? 200 : 404, 'NoSuchKey', 'There is none'];
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs doctor as a process of its own, which must end by itself. */
async function asProcess(environment: Environment): Promise<Finished> {
  return await run('src/cli/admin.ts', ['doctor'], environment).finished;
}

async function doctor(environment: Environment, start: Doctor = async () => await runCommand(['doctor'], environment)) {
  const { code, stdout, stderr } = await start(environment);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  expect(ok).toBe(code === 0);
  return { code, stderr, checks };
}

/** The last finding. Expects that all others are good, and that no stack is printed. */
async function brokenLayer(environment: Environment, start?: Doctor): Promise<Finding> {
  const { code, checks, stderr } = await doctor(environment, start);
  const broken = checks.at(-1)!;
  expect(code).toBe(1);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ...LAYERS.slice(0, LAYERS.indexOf(broken.name)).map((name) => [name, true]),
    [broken.name, false],
  ]);
  expect(stderr).toContain(
    `WRONG  ${broken.name}: tried to ${broken.tried}: ${broken.detail}\n       repair: ${broken.repair}\n`,
  );
  expect(stderr).not.toMatch(/^ +at /m);
  return broken;
}

/** Returns what the command printed. */
async function runAdmin(environment: Environment, ...args: string[]): Promise<string> {
  const finished = await runCommand(args, environment);
  expect(finished).toMatchObject({ code: 0 });
  return finished.stdout;
}

async function ownDatabase(): Promise<TestDatabase> {
  const own = await createDatabase();
  opened.push(() => own.drop());
  return own;
}

/** Creates a database with these options, and returns its URL for the owner. */
async function databaseWith(options: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = connectOnce(inject('serverUrl'));
  await server.unsafe(`create database ${name} ${options}`);
  opened.push(async () => {
    await server.unsafe(`drop database ${name} with (force)`);
    await server.end();
  });
  return urlWith({ pathname: `/${name}` }, database.ownerUrl);
}

function urlWith(part: Partial<URL>, url = database.url): string {
  return Object.assign(new URL(url), part).href;
}

/** The SQL in a `psql -c '…'` command, without the shell's quoting. */
function statementOf(command: string): string {
  const quoted = /^psql \S+ -c '(.*)'$/s.exec(command);
  expect(quoted, command).not.toBeNull();
  return quoted![1]!.replaceAll(`'\\''`, `'`);
}

async function jobs({ owner }: TestDatabase) {
  return [...(await owner.execute(`select id from pgboss.job where name = 'webhook-delivery'`))];
}

/** As PgBouncer with `ignore_startup_parameters`: turns the settings of a connection into others, which PostgreSQL ignores. */
async function openDroppingPooler(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const dropped =
    /\0(?:statement_timeout|idle_in_transaction_session_timeout|jit|default_transaction_isolation)(?=\0)/g;
  const server = createTcpServer((near) => {
    const far = createConnection(Number(url.port), url.hostname);
    near.once('data', (first: Buffer) => {
      const text = first.toString('latin1').replaceAll(dropped, (name) => `${name.slice(0, 2)}.${name.slice(3)}`);
      far.write(text, 'latin1');
      near.pipe(far);
    });
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(async () => await new Promise((resolve) => server.close(resolve)));
  return Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href;
}
