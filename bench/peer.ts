import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectOnce } from '../src/db/connection/connect.ts';
import { startChild } from './child.ts';
import type { EarlierShop } from './earlier.ts';
import { httpSubject } from './http-subject.ts';
import { printProgress } from './print-progress.ts';
import type { Subject } from './subject.ts';

const FOLDER = join(import.meta.dirname, 'peer');
const PATH = '/graphql';
/** PostGraphile, and a plugin for filters with conditions such as `lessThan`. */
const PACKAGES = ['postgraphile', 'postgraphile-plugin-connection-filter'] as const;

/**
 * The commit whose tables PostGraphile serves. PostGraphile joins tables and cannot join arrays of ids, so it gets the
 * same rows in the normalized tables of that commit. The goals were measured against these tables.
 */
export const PEER_COMMIT = 'cfd66b3';

/** Installs PostGraphile on its first use, in a separate folder. */
export async function startPeer({ databaseUrl, surroundings }: EarlierShop): Promise<Subject> {
  await install();
  await addFunctions(databaseUrl);
  const environment = { DATABASE_URL: databaseUrl, GRAPHILE_ENV: 'production' };
  const child = await startChild('node bench/peer/server.js', environment, isReady);
  return httpSubject(
    { name: 'PostGraphile', child, path: PATH, headers: {}, side: 'peer' },
    surroundings,
    (workload) => workload.peer,
  );
}

async function install(): Promise<void> {
  const [wanted, installed] = await Promise.all([
    versionsIn(join(FOLDER, 'package-lock.json')),
    versionsIn(join(FOLDER, 'node_modules/.package-lock.json')),
  ]);
  if (wanted === installed) return;
  printProgress(`installing PostGraphile ${wanted}`);
  await promisify(execFile)('npm', ['ci'], { cwd: FOLDER });
}

async function addFunctions(databaseUrl: string): Promise<void> {
  const client = connectOnce(databaseUrl);
  await client.unsafe(await readFile(join(FOLDER, 'functions.sql'), 'utf8'));
  await client.end();
}

async function versionsIn(lock: string): Promise<string | null> {
  const text = await readFile(lock, 'utf8').catch(() => null);
  if (text === null) return null;
  const { packages } = JSON.parse(text) as { packages: Record<string, { version?: string }> };
  return PACKAGES.map((name) => packages[`node_modules/${name}`]?.version).join(' and ');
}

/** Responds only when its schema is complete. */
async function isReady(url: string): Promise<boolean> {
  const body = JSON.stringify({ query: '{ __typename }' });
  return (await fetch(url + PATH, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).ok;
}
