import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { fetchBulkImages } from '../../../src/image/bulk/fetch-bulk-images.ts';
import { countDownloads, listDownloads } from '../../../src/image/bulk/list-downloads.ts';
import { deleteProductList } from '../../../src/product/deleteProductList.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { importText, sheetOf } from '../../product-file/csv/sheets.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { silent } from '../log.ts';
import { type PictureServer, startPictureServer } from '../picture-server.ts';
import { openImageDependencies } from '../shop.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let pictures: PictureServer;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  pictures = await startPictureServer((path, response) => {
    if (path === '/text') response.end('no picture');
    return path === '/text';
  });
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  pictures.close();
  await parts.close();
  await database.drop();
});

const fetchAll = async () =>
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...parts }, { retryDelaysMs: [0, 0] });
const sheet = () =>
  sheetOf(
    { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Variant SKU': 't-1', 'Image Src': `${pictures.url}/text` },
    { Handle: 'mug', Title: 'Mug', 'Variant Price': '1', 'Variant SKU': 'm-1', 'Image Src': `${pictures.url}/20` },
  );

it('lists pictures that are still to be fetched, then those that failed, by product and sku', async () => {
  expect(await importText(ctx, sheet())).toMatchObject({ imagesPending: 2 });
  expect(await countDownloads(ctx)).toEqual({ running: 2, failed: 0 });
  expect(await listDownloads(ctx, 1)).toHaveLength(1);
  await fetchAll();
  expect(await countDownloads(ctx)).toEqual({ running: 0, failed: 1 });
  expect(await listDownloads(ctx, 10)).toEqual([
    {
      state: 'FAILED',
      url: `${pictures.url}/text`,
      handle: 'tee',
      product: 'Tee',
      sku: 't-1',
      attempts: 1,
      error: expect.stringContaining('must be a JPEG'),
      updatedAt: expect.any(Number),
    },
  ]);
});

it('counts a picture that is requested again once, as running, and none of a deleted product', async () => {
  await importText(ctx, sheet());
  await fetchAll();
  await importText(ctx, sheet(), { retryImages: true });
  expect(await countDownloads(ctx)).toEqual({ running: 1, failed: 0 });
  await fetchAll();
  expect(await countDownloads(ctx)).toEqual({ running: 0, failed: 1 });
  const { data } = await listProduct(ctx, {}, { data: { id: {} } });
  await deleteProductList(ctx, { idList: data.map(({ id }) => id) });
  expect(await countDownloads(ctx)).toEqual({ running: 0, failed: 0 });
});

it('counts no picture that failed, once its address was corrected', async () => {
  const corrected = (path: string) =>
    sheetOf({
      Handle: 'tee',
      Title: 'Tee',
      'Variant Price': '1',
      'Variant SKU': 't-1',
      'Image Src': pictures.url + path,
    });
  await importText(ctx, corrected('/text'));
  await fetchAll();
  await importText(ctx, corrected('/20'));
  expect(await countDownloads(ctx)).toEqual({ running: 1, failed: 0 });
  await fetchAll();
  expect(await listDownloads(ctx, 10)).toEqual([]);
});

it('of another merchant are not seen', async () => {
  await importText(ctx, sheet());
  const other = await createContext(database.db);
  expect([await countDownloads(other), await listDownloads(other, 10)]).toEqual([{ running: 0, failed: 0 }, []]);
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from bulk_operation_image where merchant_id = ${ctx.merchantId}`,
  );
  expect(row!.count).toBe(2);
});
