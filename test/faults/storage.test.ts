import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadPath } from '../../src/http/upload/upload.ts';
import { brandOf, imageRows } from '../image/shop.ts';
import { noise } from '../image/pictures.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir } from '../support/process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { FaultedService, NORMAL, NORMAL_WITHIN_MS, NOTHING_LOST } from './support/faulted-service.ts';

const DISK_KIB = 2_048;

let database: TestDatabase;
let dataDir: DataDir;
/** Null if this process may not mount a file system. */
let disk: SmallDisk | null;
let folder: string;
let service: FaultedService;
beforeAll(async () => {
  [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  disk = mountSmallDisk(DISK_KIB);
  folder = join(disk?.path ?? dataDir.path, 'images');
  service = await FaultedService.start(database.db, database.url, { STORAGE_URL: pathToFileURL(folder).href });
});
afterAll(async () => {
  await service?.stop();
  disk?.remove();
  await database.drop();
  await dataDir.remove();
});

it('with a full disk of pictures, uploads are refused as unavailable, other requests are served, and no stored picture is lost', async () => {
  const { unavailable } = service.load.counts;
  const first = await upload('first');
  await fillDisk();

  const refused = await upload('second');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  ]);
  const readiness = await fetch(`${service.process.url}/readyz`);
  expect([readiness.status, await readiness.json()]).toEqual([
    503,
    expect.objectContaining({ checks: expect.objectContaining({ database: 'ok', storage: 'failed' }) }),
  ]);
  // What a load balancer asks: reads and all other changes go on.
  expect((await fetch(`${service.process.url}/readyz?exclude=storage&exclude=writes`)).status).toBe(200);
  expect(await statusOfPicture(first)).toBe(200);
  await service.load.isServed(NORMAL_WITHIN_MS);
  expect(await imageRows(service.ctx)).toHaveLength(1);

  await freeDisk();
  const second = await upload('second');
  expect(await service.recovery(disk ? 'disk full' : 'no image folder')).toEqual(NORMAL);
  expect(service.load.counts.unavailable).toBe(unavailable);
  expect(await Promise.all([first, second].map(statusOfPicture))).toEqual([200, 200]);
  expect(await imageRows(service.ctx)).toHaveLength(2);
  expect(await service.balance()).toEqual(NOTHING_LOST);
});

/** Uploads a picture of a brand, with the name of the brand as key. */
async function upload(name: string): Promise<Response> {
  const brandId = (brands[name] ??= await brandOf(service.ctx, name));
  const form = new FormData();
  form.append('input', JSON.stringify({ brandImage: { brandIds: [brandId] } }));
  form.append('file', new Blob([(pictures[name] ??= await noise(300, 200).png().toBuffer())]));
  const headers = { authorization: `Bearer ${service.token}`, 'idempotency-key': name };
  return await fetch(`${service.process.url}${uploadPath}`, { method: 'POST', headers, body: form });
}

const brands: Record<string, string> = {};
const pictures: Record<string, Buffer<ArrayBuffer>> = {};

async function statusOfPicture(uploaded: Response): Promise<number> {
  const address = `/images/${service.ctx.merchantId}/${uploaded.headers.get('x-image-id')}/image_180.webp`;
  return (await fetch(`${service.process.url}${address}`)).status;
}

/** Without a small disk it replaces the folder by a file, so that writing fails for root too. */
async function fillDisk(): Promise<void> {
  if (disk) return await disk.fill();
  await rename(folder, `${folder}-away`);
  await writeFile(folder, '');
}

async function freeDisk(): Promise<void> {
  if (disk) return await disk.free();
  await rm(folder);
  await rename(`${folder}-away`, folder);
}
