import { createSecretKey, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../../src/context.ts';
import { claimStorage } from '../../../src/image/storage-owner.ts';
import { startUpkeep } from '../../../src/worker/upkeep/start-upkeep.ts';
import { silent } from '../../image/log.ts';
import { openImageDependencies } from '../../image/shop.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** Vitest's second is too short on a busy machine. */
const WITHIN = { timeout: 10_000 };

let original: TestDatabase;
/** The owner of the storage knows it by its server and its oid, so any other database will do. */
let copy: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;

beforeAll(async () => {
  original = await createDatabase();
  copy = await createDatabase();
  parts = await openImageDependencies();
  await claimStorage(original, parts.storage);
});
afterAll(async () => {
  await parts.close();
  await copy.drop();
  await original.drop();
});

/** Runs the periodic tasks. Returns the tasks that have failed so far, with their messages. */
async function startTasks(database: TestDatabase, erasureLog: string): Promise<{ work: string; message: string }[]> {
  const failed: { work: string; message: string }[] = [];
  const error: Logger['error'] = (details) => {
    const { err, work } = details as { err: Error; work: string };
    failed.push({ work, message: err.message });
  };
  const tasks = await startUpkeep({
    databaseUrl: database.url,
    across: database.across,
    images: parts,
    webhook: { outbound: parts.outbound, secretKey: createSecretKey(randomBytes(32)) },
    retention: { keepDeliveredDays: 30, keepFailedDays: 90, maxWaitingBytes: 1e9 },
    history: { keepDays: 365, maxBytes: 1e12 },
    stock: { movementKeepDays: null, holdKeepDays: 365 },
    erasure: { log: erasureLog, keepDeletedDays: 0 },
    log: { ...silent, error },
    placement: database.placement,
  });
  onTestFinished(() => tasks.stop());
  return failed;
}

async function erased(database: TestDatabase): Promise<void> {
  const { merchantId } = await createContext(database.db);
  await database.db.execute(sql`
    insert into erasure (merchant_id, customer_ids, items, created_at) values (${merchantId}, '{}', '[]', now())`);
}

async function uncopied({ owner }: TestDatabase): Promise<number> {
  return (await owner.execute(sql`select from erasure where copied_at is null`)).length;
}

it.each(['storage', 'a file'])('writes no receipts of a copy of the database to ERASURE_LOG: %s', async (target) => {
  await erased(copy);
  const failed = await startTasks(copy, target === 'storage' ? target : join(parts.folder, 'erasures.log'));
  const message = expect.stringContaining('belongs to another database') as string;
  await vi.waitFor(() => {
    expect(failed).toContainEqual({ work: 'copyReceipts', message });
    expect(failed).toContainEqual({ work: 'sweepImages', message });
  }, WITHIN);
  expect(failed).toHaveLength(2);
  expect(await readdir(parts.folder)).not.toContain(target === 'storage' ? 'erasures' : 'erasures.log');
  expect(await uncopied(copy)).toBeGreaterThan(0);
});

it('writes the receipts of the database that owns the storage', async () => {
  await erased(original);
  const failed = await startTasks(original, 'storage');
  await vi.waitFor(async () => expect(await uncopied(original)).toBe(0), WITHIN);
  expect(await readdir(parts.folder)).toContain('erasures');
  expect(failed).toEqual([]);
});
