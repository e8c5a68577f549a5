import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import type { Context } from '../../src/context.ts';
import { uploadPath } from '../../src/http/upload/upload.ts';
import { openFolderStorage } from '../../src/image/folder-storage.ts';
import { originalKey } from '../../src/image/storage-key.ts';
import { sweepImages } from '../../src/image/sweep-images.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service.ts';
import { noise } from './pictures.ts';
import { brandOf, imageRows, variantsOf } from './shop.ts';

/** Each run kills at other moments. */
const KILLS = 3;
const CLIENTS = 6;
/** After so many uploads some are complete, and others are at different steps. */
const UPLOADS_BEFORE_KILL = 8;

let database: TestDatabase;
let folder: string;
let ctx: Context;
let token: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commerce-kill-'));
  ctx = await createContext(database.db);
  token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: ['write_products'] });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it(`has the picture of every row after ${KILLS} kills in the middle of uploads`, async () => {
  const { variantIds } = await variantsOf(ctx, 3);
  const brand = await brandOf(ctx);
  const answered: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await startServiceProcess(database.url, { STORAGE_URL: pathToFileURL(folder).href });
    const enough = Promise.withResolvers<void>();
    const before = answered.length;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const input =
        client % 2 === 0
          ? { brandImage: { brandIds: [brand] } }
          : { productImage: { variantIds, order: client, isMain: true } };
      for (let imageId = await upload(service, input); imageId !== null; imageId = await upload(service, input)) {
        answered.push(imageId);
        if (answered.length - before >= UPLOADS_BEFORE_KILL) enough.resolve();
      }
    });
    await enough.promise;
    await service.kill();
    await Promise.all(clients);
  }
  const storage = openFolderStorage(folder);
  const rows = await imageRows(ctx);
  expect(rows.length).toBeGreaterThanOrEqual(KILLS * UPLOADS_BEFORE_KILL);
  for (const { id, width, height, sizeBytes } of rows) {
    const bytes = await storage.read(originalKey(ctx.merchantId, id));
    expect(bytes).toHaveLength(sizeBytes);
    expect(await sharp(bytes!).metadata()).toMatchObject({ width, height });
  }
  const known = new Set(rows.map(({ id }) => id));
  expect(answered.filter((id) => !known.has(id))).toEqual([]);
  expect((await referredTo()).filter((id) => !known.has(id))).toEqual([]);
  expect(await mainImages()).toEqual([1, 1, 1]);
  await sweepImages({ db: database.db, across: database.across, storage }, { objectMinAgeMs: -60_000 });
  expect(await storedIds(storage)).toEqual(known);
}, 180_000);

let width = 400;

/** The id of the picture; null if the service ended before it answered. */
async function upload({ url }: ServiceProcess, input: object): Promise<string | null> {
  const form = new FormData();
  form.append('input', JSON.stringify(input));
  form.append(
    'file',
    new Blob([
      await noise((width += 1), 300)
        .png()
        .toBuffer(),
    ]),
  );
  const response = await fetch(`${url}${uploadPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  }).catch(() => null);
  if (response) expect([response.status, await response.text()]).toEqual([200, '"OK"']);
  return response?.headers.get('x-image-id') ?? null;
}

async function referredTo(): Promise<string[]> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select unnest(json_texts(images, 'imageId')) as id from variant where merchant_id = ${ctx.merchantId}
    union select image_id from product_brand where merchant_id = ${ctx.merchantId}`);
  return rows.map(({ id }) => id);
}

async function mainImages(): Promise<number[]> {
  const rows = await database.db.execute<{ n: number }>(sql`
    select (select count(*)::int from json_array_elements(images) as listed(image) where (image ->> 'isMain')::boolean) as n from variant where images is not null and merchant_id = ${ctx.merchantId}`);
  return rows.map(({ n }) => n);
}

async function storedIds(storage: ReturnType<typeof openFolderStorage>): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { key } of storage.list('')) {
    const [, id] = key.split('/');
    // `owner.json` is of no merchant.
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
