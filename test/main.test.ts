import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectOnce } from '../src/db/connection/connect.ts';
import { createDatabase, createEmptyDatabase } from './support/database.ts';
import { EARLIER_STATE } from './support/earlier-state.ts';
import {
  createDataDir,
  type DataDir,
  databaseProcess,
  isAlive,
  logLines,
  programFile,
  run,
  type RunningService,
  startMain,
} from './support/process.ts';
import { freePort } from './support/free-port.ts';

const shell = promisify(execFile);

// Each test starts processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

/** Of a start that fails. */
const ENDED_WITHIN_MS = 20_000;
const STORED = '{ getMerchant { id } me { id } listProductBrand { id name } }';

describe('on the embedded default', () => {
  let data: DataDir;
  let used: ReturnType<typeof useOnce> | undefined;
  beforeAll(async () => {
    data = await createDataDir();
  });
  afterAll(() => data.remove());

  // The first test: the others have the data of this first start.
  it('says what it does while the first start creates the database, and one line at later starts', async () => {
    await data.remove();
    data = await createDataDir();
    const starting = run('src/main.ts', [], { PORT: '0', DATA_DIR: data.path });
    await vi.waitFor(
      () => expect(starting.stdout()).toContain(`First start: creating a PostgreSQL database in ${data.path}`),
      {
        timeout: 20_000,
        interval: 5,
      },
    );
    expect(starting.stdout()).not.toContain('Creating the tables');
    await vi.waitFor(() => expect(starting.stdout()).toContain('Ctrl-C stops it'), { timeout: 45_000 });
    expect(starting.stdout()).toContain(
      'Creating the tables …\nCreating a demo merchant, and starting the service …\n',
    );
    starting.child.kill('SIGTERM');
    await starting.finished;
    const again = await startMain({ DATA_DIR: data.path });
    expect((await again.stop()).stdout.split('\n')[0]).toBe(`Starting the PostgreSQL database in ${data.path} …`);
  });

  // docs/reliability-tests.md: 6
  it('prints a curl line that works when pasted, and logs no token', async () => {
    const { answer, wrong, token, ended } = await firstUse();
    expect(answer).toEqual({
      data: {
        me: { name: 'Demo app', scopes: expect.arrayContaining(['READ_PRODUCTS', 'WRITE_CAMPAIGNS']) },
        getMerchant: { storeName: 'Demo store' },
        listSalesChannel: [{ name: 'Online store', type: 'STOREFRONT' }],
      },
    });
    expect(wrong).toMatchObject({ errors: [{ extensions: { code: 'LOGIN_REQUIRED' } }] });
    const log =
      logLines(ended.stdout)
        .map((line) => JSON.stringify(line))
        .join('\n') + ended.stderr;
    expect(log).toContain('"operations":["me","getMerchant","listSalesChannel"]');
    expect(log).not.toContain(token.slice(30, -1));
  });

  it('ends with code 0 on SIGTERM, and stops the database', async () => {
    const { ended, database, isDatabaseAlive } = await firstUse();
    expect(database).not.toBeNull();
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isDatabaseAlive).toBe(false);
  });

  it('ends with code 0 on Ctrl-C, also while it starts', async () => {
    const service = await start();
    expect(await service.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    const starting = run('src/main.ts', [], { PORT: '0', DATA_DIR: data.path });
    await vi.waitFor(async () => expect(await databaseProcess(data.path)).not.toBeNull(), {
      timeout: 20_000,
      interval: 5,
    });
    starting.child.kill('SIGTERM');
    expect(await starting.finished).toMatchObject({ code: 0, signal: null });
    expect(await databaseProcess(data.path)).toBeNull();
  });

  it('ends cleanly under npm, if only npm gets the signal and if the terminal sends it to both', async () => {
    for (const toGroup of [false, true]) {
      const npm = spawn('npm', ['start'], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: data.path },
        detached: true,
      });
      const output: string[] = [];
      npm.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
      const ended = new Promise((resolve) => npm.once('close', resolve));
      await vi.waitFor(() => expect(output.join('')).toContain('Ctrl-C stops it'), { timeout: 45_000 });
      process.kill(toGroup ? -npm.pid! : npm.pid!, toGroup ? 'SIGINT' : 'SIGTERM');
      await ended;
      expect(logLines(output.join('')).at(-1)).toMatchObject({ msg: 'stopped' });
      expect(await databaseProcess(data.path)).toBeNull();
    }
  });

  it('serves while its output cannot be written, and stops', async () => {
    const full = openSync('/dev/full', 'w');
    const port = await freePort();
    const child = spawn(process.execPath, [programFile('src/main.ts')], {
      env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: data.path },
      stdio: ['ignore', full, full],
    });
    closeSync(full);
    const timeout = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const ended = once(child, 'exit');
    const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 45_000 });
    // Several times the interval in which the log is written.
    await wait(500);
    expect(await isReady()).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    clearTimeout(timeout);
  });

  it('has its data at the next start, and old tokens stay valid', async () => {
    const { token, stored: before } = await firstUse();
    const second = await start();
    expect(await ask(second, token, STORED)).toEqual(before);
    expect(before).toMatchObject({ data: { listProductBrand: [{ name: 'Kept' }] } });
    await second.stop();
  });

  it('starts after a crash that left the database running', async () => {
    const crashed = await start();
    const token = tokenOf(crashed);
    const orphan = await databaseProcess(data.path);
    await crashed.stop('SIGKILL');
    expect(isAlive(orphan!)).toBe(true);
    const service = await start();
    expect(await ask(service, token, '{ me { name } }')).toEqual({ data: { me: { name: 'Demo app' } } });
    expect(await service.stop()).toMatchObject({ code: 0 });
    expect(await databaseProcess(data.path)).toBeNull();
    expect(isAlive(orphan!)).toBe(false);
  });

  it("starts after a crash of both, also if another process has the database's process id by now", async () => {
    const crashed = await start();
    const orphan = await databaseProcess(data.path);
    await crashed.stop('SIGKILL');
    process.kill(orphan!, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(orphan!)).toBe(false));
    const pidFile = join(data.path, 'postgres', 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));
    const service = await start();
    expect(await ask(service, tokenOf(service), '{ me { name } }')).toEqual({ data: { me: { name: 'Demo app' } } });
    expect(await service.stop()).toMatchObject({ code: 0 });
  });

  // docs/reliability-tests.md: 100
  it('logs an uncaught error without its values, and ends with code 1', async () => {
    const environment = { PORT: '0', DATA_DIR: data.path };
    const args = ['./test/support/lose-error.ts', programFile('src/main.ts')];
    const { code, stdout, stderr } = await run('--import', args, environment).finished;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(logLines(stdout).at(-1)).toMatchObject({
      level: 'fatal',
      origin: 'unhandledRejection',
      err: { message: 'lost' },
    });
    expect(stdout).not.toContain('hunter2');
    // The next tests start with the database that it has left running.
  });

  it('says in one line that the port is taken, and leaves nothing running', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const finished = await run('src/main.ts', [], { DATA_DIR: data.path, PORT: String(port) }).finished;
    other.close();
    expect(finished.code).toBe(1);
    expect(finished.stderr).toMatch(new RegExp(`^Port ${port} of 127.0.0.1 is taken.*PORT=4001 npm start\n$`));
    expect(await databaseProcess(data.path)).toBeNull();
  });

  it('shares the database with a second service of the same folder, whichever ends first', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const token = tokenOf(first);
    await first.stop();
    expect(await ask(second, token, '{ me { name } }')).toEqual({ data: { me: { name: 'Demo app' } } });
    await second.stop();
    expect(await databaseProcess(data.path)).toBeNull();
  });

  it('keeps its secrets readable only for its user', async () => {
    const secrets = (await readdir(data.path)).filter((name) => /key|password/.test(name));
    expect(secrets.toSorted()).toEqual(['postgres-password', 'secret-key', 'serving-password']);
    for (const name of secrets) expect((await stat(join(data.path, name))).mode & 0o777).toBe(0o600);
  });

  /** What a client gets from one start of the service, and how that ends. Several tests look at parts of it. */
  async function useOnce() {
    const service = await start({ LOG_LEVEL: 'trace' });
    const database = await databaseProcess(data.path);
    const answer = await paste(curlLine(service));
    const token = tokenOf(service);
    const wrong = await ask(service, token.slice(0, -1), '{ me { id } }');
    await ask(service, token, 'mutation { saveProductBrand(input: { name: "Kept" }) { id } }');
    const stored = await ask(service, token, STORED);
    const ended = await service.stop();
    return { answer, wrong, token, stored, database, ended, isDatabaseAlive: isAlive(database!) };
  }

  async function firstUse(): Promise<Awaited<ReturnType<typeof useOnce>>> {
    used ??= useOnce();
    return await used.catch((error: unknown) => {
      used = undefined;
      throw error;
    });
  }

  async function start(env: Record<string, string> = {}): Promise<RunningService> {
    const service = await startMain({ DATA_DIR: data.path, ...env });
    await vi.waitFor(() => expect(service.stdout()).toContain('Ctrl-C stops it'));
    return service;
  }
});

describe('on a database of its own', () => {
  it('uses DATABASE_URL, keeps only pictures in DATA_DIR and creates no demo', async () => {
    const [database, data] = [await createDatabase(), await createDataDir()];
    const environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      DATA_DIR: data.path,
    };
    const service = await startMain(environment);
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({
      status: 'ready',
      checks: { database: 'ok', writes: 'ok', migrations: 'ok', queue: 'ok', storage: 'ok' },
    });
    const { code, stdout } = await service.stop();
    expect(code).toBe(0);
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .every((line) => line.startsWith('{')),
    ).toBe(true);
    // The readiness check of the storage has created it.
    expect(await readdir(data.path)).toEqual(['images']);
    expect(await database.db.execute('select from merchant')).toHaveLength(0);
    await Promise.all([database.drop(), data.remove()]);
  });

  it('migrates it as the owner, and works as another role', async () => {
    const database = await createEmptyDatabase();
    const environment = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
    const refused = await run('src/main.ts', [], { PORT: '0', ...environment }).finished;
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The database refused it: permission denied .*MIGRATION_DATABASE_URL=… npm run admin -- migrate\n$/,
      ),
    });
    const service = await startMain({ ...environment, MIGRATION_DATABASE_URL: database.ownerUrl });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(logLines((await service.stop()).stdout).filter(({ level }) => level === 'warn')).toEqual([]);
    const again = await startMain(environment);
    expect(logLines((await again.stop()).stdout).filter(({ level }) => level === 'warn')).toEqual([]);
    await database.drop();
  });

  it('refuses one from before the first release', async () => {
    const database = await createEmptyDatabase();
    const client = connectOnce(database.ownerUrl);
    await client.unsafe(EARLIER_STATE);
    await client.end();
    const { code, stderr } = await run('src/main.ts', [], {
      PORT: '0',
      DATABASE_URL: database.ownerUrl,
      SECRET_KEY: randomBytes(32).toString('hex'),
    }).finished;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^This database was made by a version from before the first release, .*new database.*\n$/),
    ]);
    await database.drop();
  });

  it('warns when it works as a superuser', async () => {
    const database = await createDatabase();
    const service = await startMain({ DATABASE_URL: database.ownerUrl, SECRET_KEY: randomBytes(32).toString('hex') });
    const warnings = logLines((await service.stop()).stdout).filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ rights: ['it is a superuser'], msg: expect.stringContaining('Database roles') }]);
    await database.drop();
  });

  it('ends when the start fails after connections are open', async () => {
    const database = await createDatabase();
    await database.owner.execute('update pgboss.version set version = version + 1');
    const environment = { PORT: '0', DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
    const running = run('src/main.ts', [], environment);
    const timeout = setTimeout(() => running.child.kill('SIGKILL'), ENDED_WITHIN_MS);
    const { code, stderr } = await running.finished;
    clearTimeout(timeout);
    expect([code, stderr]).toEqual([1, expect.stringContaining('pg-boss')]);
    await database.drop();
  });

  it('ends with one line when it cannot be reached', async () => {
    const environment = {
      DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/commerce',
      SECRET_KEY: randomBytes(32).toString('hex'),
    };
    const { code, stderr } = await run('src/main.ts', [], environment).finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database cannot be reached: .*127\.0\.0\.1:1\n$/);
    expect(stderr).not.toContain('hunter2');
  });
});

it('names all mistakes of the configuration and ends with code 2', async () => {
  const { code, stderr } = await run('src/main.ts', [], { PORT: 'x', ROLE: 'y', DATABASE_URL: 'postgres://db/z' })
    .finished;
  expect(code).toBe(2);
  for (const name of ['PORT', 'ROLE', 'SECRET_KEY']) expect(stderr).toContain(name);
});

function curlLine(service: RunningService): string {
  return service
    .stdout()
    .split('\n')
    .find((line) => line.trim().startsWith('curl '))!;
}

function tokenOf(service: RunningService): string {
  return /Bearer ([^']+)'/.exec(curlLine(service))![1]!;
}

async function paste(line: string): Promise<unknown> {
  return JSON.parse((await shell('sh', ['-c', line])).stdout);
}

async function ask(service: RunningService, token: string, query: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/v1/admin/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return await response.json();
}
