import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openErasureLog, readErasureLog, receiptOf } from '../../../src/customer/erasure/erasure-log.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { openFolderStorage } from '../../../src/image/folder-storage.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const DISK_KIB = 64;

function receipt(customers = 1) {
  return { merchantId: newId(), id: newId(), customerIds: Array.from({ length: customers }, newId), createdAt: 1 };
}

async function readReceipts(file: string) {
  return (await readErasureLog(file, null)).map(({ text }) => receiptOf(text));
}

it('fails if the disk takes only a part of the receipts, and writes all of them when there is space', async ({
  skip,
}) => {
  const disk = mountSmallDisk(DISK_KIB);
  if (!disk) return skip('this process may not mount a file system');
  onTestFinished(() => disk.remove());
  const file = join(disk.path, 'erasures.log');
  const log = openErasureLog(file, openFolderStorage(disk.path));
  const [first, ...others] = [receipt(), ...Array.from({ length: 30 }, () => receipt(100))];
  await log.write([first!]);
  await expect(log.write(others)).rejects.toThrow(/has taken only \d+ of \d+ bytes/);
  const { length } = await readFile(file);
  expect(length).toBeGreaterThan(DISK_KIB * 512);
  // In the place of a larger disk.
  const larger = join(await mkdtemp(join(tmpdir(), 'commerce-erasure-log-')), 'erasures.log');
  onTestFinished(async () => await rm(join(larger, '..'), { recursive: true }));
  await appendFile(larger, await readFile(file));
  await openErasureLog(larger, openFolderStorage(disk.path)).write(others);
  const read = await readReceipts(larger);
  expect(read[0]).toEqual(first);
  expect(read.slice(-others.length)).toEqual(others);
  expect(read.filter((found) => found === null)).toHaveLength(1);
});

it('begins a line of its own behind a torn one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-erasure-log-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const file = join(folder, 'erasures.log');
  const log = openErasureLog(file, openFolderStorage(folder));
  const receipts = [receipt(), receipt()];
  await log.write([receipts[0]!]);
  await appendFile(file, '{"merchantId":"0');
  await log.write([receipts[1]!]);
  expect(await readReceipts(file)).toEqual([receipts[0], null, receipts[1]]);
});

it('keeps in the storage the customers of a receipt that a restored database does not have', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-erasure-log-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const storage = openFolderStorage(folder);
  const log = openErasureLog('storage', storage);
  const [whole, other] = [receipt(3), receipt()];
  await log.write([whole, other]);
  await log.write([{ ...whole, customerIds: whole.customerIds.slice(1) }]);
  const read = (await readErasureLog('storage', storage)).map(({ text }) => receiptOf(text));
  expect(new Map(read.map((found) => [found?.id, new Set(found?.customerIds)]))).toEqual(
    new Map([whole, other].map(({ id, customerIds }) => [id, new Set(customerIds)])),
  );
});
