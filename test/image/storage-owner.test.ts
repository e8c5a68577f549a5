import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { originalKey } from '../../src/image/storage-key.ts';
import {
  claimStorage,
  ForeignStorageError,
  readOwnership,
  type StorageOwner,
  takeOverStorage,
} from '../../src/image/storage-owner.ts';
import { sweepImages } from '../../src/image/sweep-images.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, createEmptyDatabase, openDatabase, type TestDatabase } from '../support/database.ts';
import { imageRows, openImageDependencies, storedKeys } from './shop.ts';

let database: TestDatabase;
/** As a restored backup: the same merchants, in another database. */
let copy: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let ctx: Context;

beforeAll(async () => {
  const first = await createDatabase();
  const before = await createContext(first.db);
  await first.close();
  // A copy needs that nobody is connected.
  copy = openDatabase(await createEmptyDatabase(new URL(first.url).pathname.slice(1)));
  database = openDatabase(first);
  ctx = { ...before, db: database.db };
});
afterAll(async () => {
  await copy.drop();
  await database.drop();
});
beforeEach(async () => {
  parts = await openImageDependencies();
  return async () => await parts.close();
});

const sweep = async ({ db, across }: TestDatabase) =>
  await sweepImages({ db, across, storage: parts.storage }, { unusedMaxAgeMs: 0, objectMinAgeMs: 0 });

async function storedOwner(): Promise<StorageOwner> {
  return JSON.parse((await parts.storage.read('owner.json'))!.toString('utf8')) as StorageOwner;
}

async function setOwner(change: Partial<StorageOwner>): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ ...(await storedOwner()), ...change }));
  await parts.storage.write('owner.json', bytes, 'application/json');
}

it('belongs to the first database that sweeps it, and goes on to', async () => {
  await sweep(database);
  expect(await storedOwner()).toMatchObject({ name: new URL(database.url).pathname.slice(1) });
  const orphan = originalKey(ctx.merchantId, newId());
  await parts.storage.write(orphan, Buffer.from('x'), 'image/png');
  expect(await sweep(database)).toEqual({ images: 0, objects: 1 });
});

it('can be claimed by several processes of its database at once, also while others write', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await createContext(database.db);
      await claimStorage(database, parts.storage);
    }),
  );
  expect((await readOwnership(database, parts.storage)).reason).toBeNull();
});

describe('a copy of the database', () => {
  it('removes neither objects nor rows, and says whose the storage is', async () => {
    await sweep(database);
    const uploadedSince = originalKey(ctx.merchantId, newId());
    await parts.storage.write(uploadedSince, Buffer.from('x'), 'image/png');
    const inCopy = { ...ctx, db: copy.db };
    await copy.owner.execute(`
      insert into image (merchant_id, content_hash, content_type, size_bytes, width, height, unused_since)
      values ('${ctx.merchantId}', 'x', 'image/png', 1, 1, 1, now() - interval '1 day')`);
    await expect(sweep(copy)).rejects.toThrow(
      `belongs to another database (${new URL(database.url).pathname.slice(1)}, server `,
    );
    expect(await storedKeys(parts, ctx)).toEqual([uploadedSince]);
    expect(await imageRows(inCopy)).toHaveLength(1);
  });

  it('owns the storage after it was taken over, and the former owner does not', async () => {
    await sweep(database);
    const { former } = await takeOverStorage(copy, parts.storage);
    expect(former).toEqual({ ...(await storedOwner()), ...former });
    await sweep(copy);
    await expect(sweep(database)).rejects.toThrow(ForeignStorageError);
  });
});

it('a copy of the files of the server does not own the storage, since the original has gone on', async () => {
  await claimStorage(database, parts.storage);
  await setOwner({ transaction: String(BigInt((await storedOwner()).transaction) + 1_000_000n) });
  await expect(sweep(database)).rejects.toThrow('was used by a later state of this database');
});

it('a server with another identifier, as after pg_upgrade, does not own the storage', async () => {
  await claimStorage(database, parts.storage);
  await setOwner({ server: '1' });
  await expect(sweep(database)).rejects.toThrow('server 1');
});

it('an owner that cannot be read is another one, until the storage is taken over', async () => {
  await parts.storage.write('owner.json', Buffer.from('{'), 'application/json');
  await expect(sweep(database)).rejects.toThrow('cannot be read');
  expect(await takeOverStorage(database, parts.storage)).toMatchObject({ former: null });
  await sweep(database);
});
