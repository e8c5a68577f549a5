import { createConnection } from 'node:net';
import { sql } from 'drizzle-orm';
import { sqlState } from '../../db/errors/sql-state.ts';
import { roleOf } from '../../db/schema/roles.ts';
import { argument, Broken, type Check, identifier, messageOf } from './check.ts';
import type { Subject } from './subject.ts';
import { ownCommand } from '../../installation/own-command.ts';

const ANSWER_TIMEOUT_MS = 5_000;
const DEFAULT_PORT = 5432;
/** Asks a PostgreSQL server whether it accepts TLS. It answers with one letter, and no other server does. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const SSL_ANSWERS = ['S', 'N'];

const UNKNOWN_DATABASE = '3D000';
const INSUFFICIENT_PRIVILEGE = '42501';
/** Errors that PostgreSQL raises only after it has accepted role and password. */
const AFTER_SIGN_IN: readonly (string | undefined)[] = [UNKNOWN_DATABASE, INSUFFICIENT_PRIVILEGE];
/** Role or password refused, or no rule of pg_hba.conf for them. */
const REFUSED_SIGN_IN = /^28/;

/** The checks of what lies between the configuration and a session of the database. */
export const connectionChecks: Check[] = [
  {
    name: 'address',
    tried: 'open a connection and ask whether PostgreSQL answers',
    repair: 'pg_isready',
    run: address,
  },
  {
    name: 'password',
    tried: 'sign in as the role of each URL',
    repair: 'psql "$DATABASE_URL" -c "select 1"',
    run: password,
  },
  {
    name: 'database',
    tried: 'run a statement in the database of each URL',
    repair: 'psql "$DATABASE_URL" -c "select 1"',
    run: database,
  },
];

async function address(subject: Subject): Promise<string> {
  const found = new Set<string>();
  for (const { name, url } of await urlsOf(subject)) {
    const [host, port] = hostAndPort(url);
    const problem = await answersAsPostgres(host, port);
    if (problem !== null)
      throw new Broken(
        `${name}: ${host}:${port} ${problem}`,
        `pg_isready -h ${argument(host)} -p ${port}   # until it accepts connections; or correct ${name}`,
      );
    found.add(`${host}:${port}`);
  }
  return `PostgreSQL answers at ${[...found].join(' and ')}`;
}

/** Whether a PostgreSQL server answers at an address: null if one does, otherwise what happened. */
async function answersAsPostgres(host: string, port: number): Promise<string | null> {
  return await new Promise((resolve) => {
    const socket = createConnection({ host, port });
    const end = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => end(`does not answer within ${ANSWER_TIMEOUT_MS / 1_000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(`cannot be reached: ${error.code ?? error.message}`));
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', (answer) =>
      end(SSL_ANSWERS.includes(answer.toString('latin1', 0, 1)) ? null : 'answers, but is not PostgreSQL'),
    );
    socket.once('close', () => end('closes the connection, and is not PostgreSQL'));
  });
}

async function password(subject: Subject): Promise<string> {
  const names = [];
  for (const { name, url, db } of await urlsOf(subject)) {
    const role = roleOf(url).name;
    const error = await signInError(db);
    if (error && !AFTER_SIGN_IN.includes(sqlState(error)))
      throw new Broken(`${name}: ${messageOf(error)}`, signInRepair(error, url, name));
    names.push(role);
  }
  return `${[...new Set(names)].join(' and ')} may sign in`;
}

function signInRepair(error: unknown, url: string, name: string): string {
  const at = superuserOf(url);
  if (REFUSED_SIGN_IN.test(sqlState(error) ?? ''))
    return `psql ${at} -c '\\password ${identifier(roleOf(url).name)}'   # or correct the password in ${name}`;
  return `psql ${at} -c "select state, count(*) from pg_stat_activity group by state"   # then repeat doctor`;
}

async function database(subject: Subject): Promise<string> {
  const names = [];
  for (const { name, url, db } of await urlsOf(subject)) {
    const error = await signInError(db);
    const database = decodeURIComponent(new URL(url).pathname.slice(1));
    if (error) throw new Broken(`${name}: ${messageOf(error)}`, databaseRepair(error, url, database));
    names.push(database);
  }
  return `${[...new Set(names)].join(' and ')} can be used`;
}

function databaseRepair(error: unknown, url: string, database: string): string {
  if (sqlState(error) === UNKNOWN_DATABASE)
    return `createdb ${superuserOf(url)} --encoding=UTF8 ${argument(database)} && ${ownCommand('migrate')}`;
  return `psql ${superuserOf(url)} -c "grant connect on database ${identifier(database)} to ${identifier(roleOf(url).name)}"`;
}

async function urlsOf(subject: Subject) {
  const { databaseUrl, ownerUrl, acrossUrl, isEmbedded } = await subject.environment();
  if (isEmbedded) return [{ name: 'embedded', url: databaseUrl, db: await subject.db() }];
  const urls = [
    { name: 'DATABASE_URL', url: databaseUrl, db: await subject.db() },
    { name: 'MIGRATION_DATABASE_URL', url: ownerUrl, db: await subject.ownerDb() },
    { name: 'CROSS_MERCHANT_DATABASE_URL', url: acrossUrl, db: await subject.acrossDb() },
  ];
  // One that is not configured is the same as the first.
  return urls.filter(({ name, url }) => name === 'DATABASE_URL' || url !== databaseUrl);
}

/** The error of the simplest statement, or null. */
async function signInError(db: Awaited<ReturnType<Subject['db']>>): Promise<unknown> {
  return await db.execute(sql`select 1`).then(
    () => null,
    (error: unknown) => error,
  );
}

/** The options with which the administrator of the server signs in. */
function superuserOf(url: string): string {
  const [host, port] = hostAndPort(url);
  return `-h ${argument(host)} -p ${port} -U postgres`;
}

function hostAndPort(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname.replace(/^\[|\]$/g, '') || 'localhost', Number(port || DEFAULT_PORT)];
}
