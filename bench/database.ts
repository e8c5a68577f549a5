import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { MIGRATIONS, migrationTimes } from '../src/db/schema/migration-state.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { loadCatalogue, SHOPS } from './catalogue.ts';
import { printProgress } from './print-progress.ts';

const DATA_DIR = join(import.meta.dirname, '../.bench/database');
const CATALOGUE = new URL('catalogue.sql', import.meta.url);

/** The merchant of the first, large shop. `servingUrl` is for the serving role. */
export type BenchCopy = { url: string; servingUrl: string; merchantId: string };

type Close = { close: () => Promise<void> };
export type BenchDatabase = BenchCopy & Close;

/**
 * Copies the generated shops, so that each run begins with the same rows. They are generated once per state of the
 * migrations and the generator, on the given server or on an embedded one.
 */
export async function openBenchDatabase(shops: readonly number[] = SHOPS, given?: string): Promise<BenchDatabase> {
  const { databases, close } = await openBenchDatabases([shops], given);
  return { ...databases[0]!, close };
}

/** Several databases on one server. */
export async function openBenchDatabases(
  all: readonly (readonly number[])[],
  given = process.env.DATABASE_URL,
): Promise<{ databases: BenchCopy[] } & Close> {
  const own = given === undefined ? await startEmbeddedPostgres(DATA_DIR) : null;
  const serverUrl = given ?? own!.url;
  const server = connectOnce(serverUrl);
  const copies = all.map((_, index) => `bench_run_${index}_${process.pid}`);
  const close = async (): Promise<void> => {
    await drop(server, copies);
    await server.end();
    await own?.stop();
  };
  try {
    await dropLeftovers(server);
    const databases: BenchCopy[] = [];
    for (const [index, shops] of all.entries())
      databases.push(
        await openCopy(server, { serverUrl, servingUrl: own?.servingUrl ?? serverUrl, copy: copies[index]!, shops }),
      );
    return { databases, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Copy = { serverUrl: string; servingUrl: string; copy: string; shops: readonly number[] };

async function openCopy(
  server: postgres.Sql,
  { serverUrl, servingUrl: servingServerUrl, copy, shops }: Copy,
): Promise<BenchCopy> {
  const original = `${sizeOf(shops)}_${stateOf(shops)}`;
  if (!(await exists(server, original))) await generate(server, serverUrl, original, shops);
  await server.unsafe(`create database ${copy} template ${original} strategy file_copy`);
  const url = databaseOf(serverUrl, copy);
  const servingUrl = databaseOf(servingServerUrl, copy);
  await migrate(url, servingUrl);
  const [merchantId] = await loadCatalogue(url, shops);
  return { url, servingUrl, merchantId: merchantId! };
}

function sizeOf([products]: readonly number[]): string {
  return `bench_size_${products}`;
}

/** A hash of everything that the generated rows depend on. */
function stateOf(shops: readonly number[]): string {
  const files = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  const texts = [...files.map((name) => readFileSync(join(MIGRATIONS, name), 'utf8')), readFileSync(CATALOGUE, 'utf8')];
  // The time of the baseline is part of it, because the service refuses databases of another baseline.
  const times = migrationTimes();
  return createHash('sha256')
    .update(JSON.stringify([texts, times, shops]))
    .digest('hex')
    .slice(0, 12);
}

async function exists(server: postgres.Sql, name: string): Promise<boolean> {
  const found = await server`select 1 from pg_database where datname = ${name}`;
  return found.length > 0;
}

/** Uses a temporary name until it is complete, so that an interrupted run leaves no partial database. */
async function generate(
  server: postgres.Sql,
  serverUrl: string,
  name: string,
  shops: readonly number[],
): Promise<void> {
  const start = performance.now();
  const former = await databasesNamed(server, `${sizeOf(shops)}_`);
  await drop(server, former);
  const draft = `bench_run_draft_${process.pid}`;
  await server.unsafe(`create database ${draft}`);
  await migrate(databaseOf(serverUrl, draft));
  await loadCatalogue(databaseOf(serverUrl, draft), shops, (shop) =>
    printProgress(`generated ${shops[shop]} products`),
  );
  await server.unsafe(`alter database ${draft} rename to ${name}`);
  printProgress(`generated all in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Drops the databases of killed runs. */
async function dropLeftovers(server: postgres.Sql): Promise<void> {
  const copies = await databasesNamed(server, 'bench_run_');
  await drop(
    server,
    copies.filter((name) => !isRunning(Number(name.split('_').at(-1)))),
  );
}

async function databasesNamed(server: postgres.Sql, start: string): Promise<string[]> {
  const found = await server<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, ${start})`;
  return found.map(({ name }) => name);
}

async function drop(server: postgres.Sql, names: string[]): Promise<void> {
  for (const name of names) await server.unsafe(`drop database if exists ${name} with (force)`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function databaseOf(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}
