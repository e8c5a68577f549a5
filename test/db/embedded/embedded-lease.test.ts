import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { leaseEmbeddedPostgres } from '../../../src/db/embedded/embedded-lease.ts';
import { fileLock, tryFileLock } from '../../../src/db/embedded/file-lock.ts';
import { createDataDir, type DataDir, databaseProcess, run } from '../../support/process.ts';

let data: DataDir;
// One folder for all: the first start takes most of the time. The first test begins with an empty one.
beforeAll(async () => {
  data = await createDataDir();
});
afterAll(() => data.remove());

describe('a lease of the embedded database', () => {
  it('stops the database when its last holder leaves, also if all of them started at once with an empty folder', async () => {
    const leases = await Promise.all([1, 2, 3].map(() => leaseEmbeddedPostgres(data.path)));
    expect(new Set(leases.map(({ url }) => url)).size).toBe(1);
    expect(await leases[1]!.release()).toBe(false);
    expect(await leases[0]!.release()).toBe(false);
    expect(await answers(leases[2]!.url)).toBe(true);
    expect(await leases[2]!.release()).toBe(true);
    expect(await databaseProcess(data.path)).toBeNull();
  });

  it('shares a running database whose folder has another path', async () => {
    const other = `${data.path}-other`;
    await symlink(data.path, other);
    const leases = [await leaseEmbeddedPostgres(data.path)];
    try {
      leases.push(await leaseEmbeddedPostgres(other));
      expect(leases[1]!.url).toBe(leases[0]!.url);
    } finally {
      for (const { release } of leases) await release();
      await rm(other);
    }
    expect(await databaseProcess(data.path)).toBeNull();
  });

  it('is given back although the database was killed', async () => {
    const { release } = await leaseEmbeddedPostgres(data.path);
    process.kill((await databaseProcess(data.path))!, 'SIGKILL');
    await vi.waitFor(async () => expect(await databaseProcess(data.path)).toBeNull());
    expect(await release()).toBe(true);
  });

  it('can be taken again and again, while others leave', async () => {
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (let round = 0; round < 3; round++) {
          const lease = await leaseEmbeddedPostgres(data.path);
          expect(await answers(lease.url)).toBe(true);
          await lease.release();
        }
      }),
    );
    expect(await databaseProcess(data.path)).toBeNull();
  });
});

describe('a file lock', () => {
  it('is exclusive for one process, or shared by several', () => {
    const path = join(data.path, 'lock');
    const one = tryFileLock(path, 'exclusive')!;
    expect(tryFileLock(path, 'exclusive')).toBeNull();
    expect(tryFileLock(path, 'shared')).toBeNull();
    one.release();
    const [first, second] = [tryFileLock(path, 'shared')!, tryFileLock(path, 'shared')!];
    expect(tryFileLock(path, 'exclusive')).toBeNull();
    first.release();
    expect(tryFileLock(path, 'exclusive')).toBeNull();
    second.release();
    tryFileLock(path, 'exclusive')!.release();
  });

  it('is released when its process is killed', async () => {
    const path = join(data.path, 'lock');
    const holder = run('test/support/hold-lock.ts', [path], {});
    while (!holder.stdout().includes('held')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(tryFileLock(path, 'exclusive')).toBeNull();
    const waiting = fileLock(path, 'exclusive');
    holder.child.kill('SIGKILL');
    (await waiting).release();
  });
});

async function answers(url: string): Promise<boolean> {
  const client = connectOnce(url);
  try {
    return (await client`select 1`).length === 1;
  } finally {
    await client.end();
  }
}
