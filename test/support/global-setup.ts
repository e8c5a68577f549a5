import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectOnce } from '../../src/db/connect.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    templateName: string;
  }
}

/** One server for the run and one migrated database, which each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.TEST_DATABASE_URL ? null : await startOwnServer();
  const serverUrl = process.env.TEST_DATABASE_URL ?? own!.url;
  const templateName = `template_${project.name}_${process.pid}`;
  await withServer(serverUrl, `create database ${templateName}`);
  await migrate(databaseUrl(serverUrl, templateName));
  project.provide('serverUrl', serverUrl);
  project.provide('templateName', templateName);
  return async () => {
    await withServer(serverUrl, `drop database if exists ${templateName} with (force)`);
    await own?.stop();
  };
}

/** Nothing in it outlives the run, so it need not survive a power cut. */
async function startOwnServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'commerce-test-'));
  await chmod(directory, 0o755);
  const server = await startEmbeddedPostgres(directory, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function withServer(url: string, statement: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
