import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadPath } from '../../src/http/upload/upload.ts';
import { brandOf } from '../image/shop.ts';
import { noise } from '../image/pictures.ts';
import { openDatabase, type TestDatabase } from '../support/database.ts';
import { moveDatabase, PostgresServer } from '../support/postgres-server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { FaultedService, NORMAL_WITHIN_MS, NOTHING_LOST } from './support/faulted-service.ts';

/** Several times the size of a migrated database. */
const DISK_KIB = 96 * 1024;
/** A little more than the tenth that pictures leave free. */
const FREE_BYTES = 12 * 1024 ** 2;
const REFUSED_WITHIN_MS = 40_000;
const LASTS_MS = 3_000;

/** Null if this process may not mount a file system. */
const disk = mountSmallDisk(DISK_KIB);
if (!disk) console.log('not tested: a disk shared with the database, because this process may not mount a small one');

let database: TestDatabase;
let service: FaultedService;
let brandId: string;
beforeAll(async () => {
  if (!disk) return;
  const server = await PostgresServer.startMigrated();
  const { url: ownerUrl, servingUrl: url } = server;
  await moveDatabase(ownerUrl, disk.path);
  database = openDatabase({ ownerUrl, url, acrossUrl: url, drop: async () => await server.remove() });
  const folder = pathToFileURL(join(disk.path, 'images')).href;
  service = await FaultedService.start(database.db, url, { STORAGE_URL: folder });
  brandId = await brandOf(service.ctx);
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  disk?.remove();
});

it.skipIf(!disk)(
  'pictures are refused before they fill the disk of the database, and all other requests are served',
  async () => {
    const { bavail, bsize } = await statfs(disk!.path);
    await writeFile(join(disk!.path, 'other'), Buffer.alloc(bavail * bsize - FREE_BYTES));
    const refused = await until(upload, ({ status }) => status !== 200, REFUSED_WITHIN_MS);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
    ]);
    const readiness = await fetch(`${service.process.url}/readyz`);
    expect(await readiness.json()).toMatchObject({ checks: { database: 'ok', storage: 'failed' } });
    await wait(LASTS_MS);
    await service.load.isServed(NORMAL_WITHIN_MS);
    expect(service.load.counts.unavailable).toBe(0);
    expect(await service.balance()).toEqual(NOTHING_LOST);
  },
);

let width = 600;

/** A picture of a MiB, each time another one. */
async function upload(): Promise<Response> {
  const form = new FormData();
  form.append('input', JSON.stringify({ brandImage: { brandIds: [brandId] } }));
  form.append('file', new Blob([await noise(width++, 600).png().toBuffer()]));
  const headers = { authorization: `Bearer ${service.token}` };
  return await fetch(`${service.process.url}${uploadPath}`, { method: 'POST', headers, body: form });
}
