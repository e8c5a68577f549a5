import { createConnection } from 'node:net';
import { sql } from 'drizzle-orm';
import { hostAndPort } from '../../values/connection-url.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { sqlState } from '../../db/errors/database-error.ts';
import { roleOf } from '../../db/schema/roles.ts';
import { argument, Broken, type Check, identifier, LOCALE_OPTIONS, messageOf, superuserOf } from './check.ts';
import type { Subject } from './subject.ts';
import { tlsRepair } from './tls-repair.ts';
import { ownCommand } from '../../installation/own-command.ts';

const ANSWER_TIMEOUT_MS = 5_000;
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
      throw new Broken(`${name}: ${messageOf(error)}`, await signInRepair(subject, error, { name, url }));
    names.push(role);
  }
  return `${[...new Set(names)].join(' and ')} may sign in`;
}

async function signInRepair(subject: Subject, error: unknown, { name, url }: ConfiguredUrl): Promise<string> {
  const tls = tlsRepair(error, url);
  if (tls !== null) return tls;
  const at = superuserOf(url);
  if (!REFUSED_SIGN_IN.test(sqlState(error) ?? ''))
    return `psql ${at} -c "select state, count(*) from pg_stat_activity group by state"   # then repeat doctor`;
  const role = roleOf(url).name;
  const setPassword = `psql ${at} -c '\\password ${identifier(role)}'   # or correct the password in ${name}`;
  const createUser = `createuser ${at} --pwprompt ${argument(role)}`;
  const found = name === 'MIGRATION_DATABASE_URL' ? 'unknown' : await roleByOwner(subject, role);
  if (found === 'exists') return setPassword;
  if (found === 'creatable') return ownCommand('migrate');
  if (found === 'missing') return `${createUser} && ${ownCommand('migrate')}   # with the password in ${name}`;
  if (found === 'no database') return `${await createDatabase(subject, url)} && ${ownCommand('migrate')}`;
  return `${setPassword}; if there is no such role: ${createUser}`;
}

/**
 * PostgreSQL does not say whether a role exists that may not sign in, so the owner's connection looks. `creatable`:
 * `migrate` creates the missing role.
 */
async function roleByOwner(
  subject: Subject,
  role: string,
): Promise<'exists' | 'missing' | 'creatable' | 'no database' | 'unknown'> {
  const { databaseUrl, ownerUrl } = await subject.environment();
  if (ownerUrl === databaseUrl) return 'unknown';
  try {
    const [row] = await readRows(
      { db: await subject.ownerDb() },
      { exists: column.boolean, mayCreate: column.boolean },
      sql`
      select exists (select from pg_roles where rolname = ${role}) as exists, rolcreaterole or rolsuper as "mayCreate"
      from pg_roles where rolname = current_user`,
    );
    if (row!.exists) return 'exists';
    return row!.mayCreate ? 'creatable' : 'missing';
  } catch (error) {
    return sqlState(error) === UNKNOWN_DATABASE ? 'no database' : 'unknown';
  }
}

async function database(subject: Subject): Promise<string> {
  const names = [];
  for (const { name, url, db } of await urlsOf(subject)) {
    const error = await signInError(db);
    if (error) throw new Broken(`${name}: ${messageOf(error)}`, await databaseRepair(subject, error, url));
    names.push(databaseOf(url));
  }
  return `${[...new Set(names)].join(' and ')} can be used`;
}

async function databaseRepair(subject: Subject, error: unknown, url: string): Promise<string> {
  if (sqlState(error) === UNKNOWN_DATABASE) return `${await createDatabase(subject, url)} && ${ownCommand('migrate')}`;
  return `psql ${superuserOf(url)} -c "grant connect on database ${identifier(databaseOf(url))} to ${identifier(roleOf(url).name)}"`;
}

/** Belongs to the role that will create the tables, which otherwise may not create them. */
async function createDatabase(subject: Subject, url: string): Promise<string> {
  const { ownerUrl } = await subject.environment();
  const owner = argument(roleOf(ownerUrl).name);
  return `createdb ${superuserOf(url)} --owner=${owner} ${LOCALE_OPTIONS} ${argument(databaseOf(url))}`;
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

type ConfiguredUrl = { readonly name: string; readonly url: string };

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
