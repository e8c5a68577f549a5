import { readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { makeDataFolder } from './data-folder.ts';
import { databaseUrl } from './database-url.ts';
import { BUNDLE_VARIABLE } from './process.ts';
import { bundlePrograms } from './program-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's URL for the owner of the databases. */
    serverUrl: string;
    /** The server's URL for the serving role. */
    servingUrl: string;
    /** The server's URL for the role of statements over several merchants. */
    acrossUrl: string;
    templateName: string;
    /** A folder of the run for the data that `createMigratedData` copies. */
    migratedFolder: string;
    /** Whether all files share one database of a cluster, on which statements that fan out fail. */
    isCluster: boolean;
  }
}

/**
 * One server for the run and one migrated database, which each test file copies, and the programs that tests start as
 * processes. Workers inherit the variable.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env[BUNDLE_VARIABLE] ??= await bundlePrograms();
  project.onTestsRerun(async () => void (process.env[BUNDLE_VARIABLE] = await bundlePrograms()));
  const own = process.env.TEST_DATABASE_URL ? null : await startOwnServer();
  const serverUrl = process.env.TEST_DATABASE_URL ?? own!.url;
  const servingUrl = own?.servingUrl ?? roleUrlOf(serverUrl, 'commerce_test_serving');
  const acrossUrl = roleUrlOf(serverUrl, 'commerce_test_across');
  const templateName = `template_${process.pid}`;
  await withServer(serverUrl, `create database ${templateName}`);
  await migrate(databaseUrl(serverUrl, templateName), servingUrl, acrossUrl);
  project.provide('serverUrl', serverUrl);
  project.provide('servingUrl', servingUrl);
  project.provide('acrossUrl', acrossUrl);
  const migratedFolder = await makeDataFolder('commerce-migrated-');
  process.on('exit', () => rmSync(migratedFolder, { recursive: true, force: true }));
  project.provide('templateName', templateName);
  project.provide('migratedFolder', migratedFolder);
  project.provide('isCluster', false);
  return async () => {
    await withServer(serverUrl, `drop database if exists ${templateName} with (force)`);
    await own?.stop();
    await rm(migratedFolder, { recursive: true, force: true });
  };
}

/**
 * Without fsync: the data is not needed after the run. With as little WAL, as few checkpoints and as little autovacuum as
 * possible, and without I/O workers: they are a burden for thousands of small databases and backends.
 */
async function startOwnServer(): Promise<EmbeddedPostgres> {
  const directory = await makeDataFolder('commerce-test-');
  stopWithThisProcess(directory);
  const server = await startEmbeddedPostgres(directory, {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    wal_level: 'minimal',
    max_wal_senders: '0',
    checkpoint_timeout: '1h',
    autovacuum_naptime: '60s',
    io_method: 'sync',
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const EXIT_TERMINATED = 128 + 15;

/**
 * Vitest ends on SIGTERM without calling the teardown, and the server is in a session of its own. It stops immediately
 * (SIGQUIT), because nobody needs its data. Does nothing after the teardown, which removes the folder.
 */
function stopWithThisProcess(directory: string): void {
  process.prependOnceListener('SIGTERM', () => process.exit(EXIT_TERMINATED));
  process.on('exit', () => {
    const pid = postmasterOf(directory);
    if (pid === null) return;
    process.kill(pid, 'SIGQUIT');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
}

function postmasterOf(directory: string): number | null {
  try {
    return Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return null;
  }
}

async function withServer(url: string, statement: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}

/** The URL for a role, which the migration of the template creates unless an earlier run has created it. */
function roleUrlOf(serverUrl: string, role: string): string {
  return Object.assign(new URL(serverUrl), { username: role, password: role }).href;
}
