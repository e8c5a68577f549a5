import { chown, cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { fileLock } from '../../src/db/embedded/file-lock.ts';
import { hasDatabase } from '../../src/db/embedded/has-database.ts';
import { postgresUser } from '../../src/db/embedded/postgres-user.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createDataDir, type DataDir } from './process.ts';

/** For the original alone: with as little WAL as the smallest disk of a test may have, and without waiting for disks. */
const SETTINGS = { fsync: 'off', max_wal_size: '32MB' };

/**
 * A data folder with a migrated database whose server does not run: a copy of one that the run makes when the first file
 * needs it. Making one takes 3 s.
 */
export async function createMigratedData(): Promise<DataDir> {
  const folder = inject('migratedFolder');
  const original = join(folder, 'original');
  const lock = await fileLock(join(folder, 'lock'), 'exclusive');
  try {
    if (!(await hasDatabase(original))) await makeOriginal(folder, original);
  } finally {
    lock.release();
  }
  const data = await createDataDir();
  await copyData(original, data.path);
  return data;
}

/** Copies the data of a server that does not run, with its passwords. */
export async function copyData(from: string, to: string): Promise<void> {
  const { ids } = await postgresUser(to);
  await cp(from, to, { recursive: true, preserveTimestamps: true });
  if (ids) for (const path of await pathsIn(join(to, 'postgres'))) await chown(path, ids.uid, ids.gid);
}

/** The folder, and all folders and files in it. */
export async function pathsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return [folder, ...names.map((name) => join(folder, name))];
}

async function makeOriginal(folder: string, original: string): Promise<void> {
  const draft = join(folder, 'draft');
  await rm(draft, { recursive: true, force: true });
  const server = await startEmbeddedPostgres(draft, SETTINGS);
  try {
    await migrate(server.url, server.servingUrl);
  } finally {
    await server.stop();
  }
  await rename(draft, original);
}
