import { rename, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Context } from '../../../src/context.ts';
import { PooledDatabase } from '../../../src/db/connection/database.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { revokeApp } from '../../../src/app/revoke-app.ts';
import { fetchBulkImages, type FetchSettings } from '../../../src/image/bulk/fetch-bulk-images.ts';
import { openFolderStorage } from '../../../src/image/folder-storage.ts';
import { monitorStorage } from '../../../src/image/monitored-storage.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { deleteProductList } from '../../../src/product/deleteProductList.ts';
import { getBulkOperation } from '../../../src/product/getBulkOperation.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { listVariantType } from '../../../src/variant-type/listVariantType.ts';
import { saveVariantType } from '../../../src/variant-type/saveVariantType.ts';
import { allOfBulkOperation } from '../../product/products.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createOtherApp } from '../../webhook/deliveries.ts';
import { spyDatabase } from '../../support/spy-database.ts';
import { silent } from '../log.ts';
import { type PictureServer, startPictureServer } from '../picture-server.ts';
import { imageRows, imagesOf, openImageDependencies, storedKeys, variantsOf } from '../shop.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let pictures: PictureServer;
let ctx: Context;
/** While true, `/slow…` gets no response. */
const hanging = { isHanging: false, responses: [] as ServerResponse[] };
/** How many requests for `/flaky…` fail before it is served. */
let failures = 0;

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  pictures = await startPictureServer((path, response) => {
    if (path === '/none') response.writeHead(404).end();
    else if (path === '/text') response.end('no picture');
    else if (path === '/20.flaky' && failures > 0) response.writeHead(503).end(String((failures -= 1)));
    else if (path.startsWith('/slow') && hanging.isHanging) hanging.responses.push(response);
    else if (path.startsWith('/slow')) response.writeHead(404).end();
    else return false;
    return true;
  });
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterEach(() => {
  pictures.requests.length = 0;
});
afterAll(async () => {
  pictures.close();
  await parts.close();
  await database.drop();
});

const fetchAll = async (settings: FetchSettings = { retryDelaysMs: [0, 0] }) =>
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...parts }, settings);
const named = (path: string, isMain = false, order = 0) => ({ imageUrl: `${pictures.url}${path}`, isMain, order });
const product = (images: object[] | undefined, more: object = {}) => ({
  sourceId: 'p',
  name: 'P',
  type: 'PHYSICAL',
  categories: [],
  productVariantTypes: [],
  deleted: false,
  variants: [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }],
  ...more,
});
const bulk = async (input: object[], own = ctx) => await bulkUpdateProducts(own, { input: input as never });
const operation = async (id: string, own = ctx) => (await getBulkOperation(own, { id }, allOfBulkOperation))!;
const attempts = async () =>
  (
    await database.db.execute<{ attempts: number }>(
      sql`select attempts from bulk_operation_image where merchant_id = ${ctx.merchantId}`,
    )
  )[0]!.attempts;
const onlyProduct = async (own = ctx) => (await listProduct(own, {}, { data: { id: {} } })).data[0]!.id;
const images = async (own = ctx) => (await imagesOf(own, await onlyProduct(own)))[0]!;

describe('pictures that a bulk request names', () => {
  it('are fetched, given to their variants, and counted', async () => {
    const id = await bulk([product([named('/20.png', false, 2), named('/21.png', true, 1)])]);
    expect(await operation(id)).toMatchObject({ status: 'RUNNING', imagesPending: 2 });
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesPending: 0, imagesFailed: 0, errors: [] });
    const rows = await imageRows(ctx);
    expect(new Set(rows.map(({ width }) => width))).toEqual(new Set([20, 21]));
    expect(await images()).toMatchObject([
      { imageId: rows.find(({ width }) => width === 21)!.id, isMain: true, order: 1 },
      { imageId: rows.find(({ width }) => width === 20)!.id, isMain: false, order: 2 },
    ]);
  });

  it('are not fetched again for the same request, and those that it no longer names are removed', async () => {
    await bulk([product([named('/20.png', true), named('/21.png')])]);
    await fetchAll();
    const before = await images();
    const again = await bulk([product([named('/20.png', true), named('/21.png')])]);
    expect(await operation(again)).toMatchObject({ status: 'COMPLETED', imagesPending: 0 });
    expect(await images()).toEqual(before);
    await bulk([product([named('/21.png')])]);
    expect(await images()).toMatchObject([{ isMain: true, order: 0 }]);
    await fetchAll();
    expect(pictures.requests).toHaveLength(2);
  });

  it('are kept if the request has no member for them', async () => {
    await bulk([product([named('/20.png', true)])]);
    await fetchAll();
    const before = await images();
    await bulk([product(undefined)]);
    expect(await images()).toEqual(before);
  });

  it('are fetched once for all variants with the same picture', async () => {
    const id = await bulk([1, 2, 3].map((index) => product([named('/20.png', true)], { sourceId: `p${index}` })));
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    expect(pictures.requests).toEqual(['/20.png']);
    expect(await imageRows(ctx)).toHaveLength(1);
  });

  it('leave one main picture, also if the main one is fetched after the first', async () => {
    failures = 1;
    await bulk([product([named('/20.flaky', true, 1), named('/21.png', false, 0)])]);
    await fetchAll({ retryDelaysMs: [60_000, 60_000] });
    expect(await images()).toMatchObject([{ isMain: true, order: 0 }]);
    await database.db.execute(
      sql`update bulk_operation_image set next_attempt_at = now() - interval '1 second' where merchant_id = ${ctx.merchantId}`,
    );
    await fetchAll();
    expect(await images()).toMatchObject([
      { isMain: false, order: 0 },
      { isMain: true, order: 1 },
    ]);
  });

  it('are only those of the latest request', async () => {
    const first = await bulk([product([named('/20.png', true)])]);
    const second = await bulk([product([named('/21.png', true)])]);
    expect(await operation(first)).toMatchObject({ status: 'COMPLETED', imagesPending: 0 });
    await fetchAll();
    expect(await operation(second)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    expect(pictures.requests).toEqual(['/21.png']);
    expect(await images()).toHaveLength(1);
  });

  it('move `updatedAt` of the earlier request that no longer counts them, and of no other request', async () => {
    const done = await bulk([product([named('/22.png')])]);
    await fetchAll();
    const first = await bulk([product([named('/22.png'), named('/20.png'), named('/none')])]);
    await fetchAll({ retryDelaysMs: [60_000, 60_000] });
    const [ofDone, before] = [await operation(done), await operation(first)];
    await bulk([product([named('/21.png')])]);
    const after = await operation(first);
    expect([before, after]).toMatchObject([{ imagesPending: 1 }, { imagesTotal: 1, imagesPending: 0 }]);
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
    expect(await operation(done)).toEqual(ofDone);
    await fetchAll();
  });

  it('are refused if two of them are the main one', async () => {
    await expect(bulk([product([named('/20.png', true), named('/21.png', true)])])).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 0, 'variants', 0, 'images', 1, 'isMain'] }] },
    });
  });
});

describe('a picture that cannot be fetched', () => {
  it('is tried exactly three times, and reported with its path', async () => {
    const id = await bulk([product([named('/none', true)])]);
    await fetchAll();
    await fetchAll();
    expect(pictures.requests).toEqual(['/none', '/none', '/none']);
    expect(await operation(id)).toMatchObject({
      status: 'COMPLETED',
      imagesPending: 0,
      imagesFailed: 1,
      errors: [{ path: 'input.0.variants.0.images.0.imageUrl', message: 'could not be fetched: status 404' }],
    });
  });

  it('is used if the third attempt succeeds', async () => {
    failures = 2;
    const id = await bulk([product([named('/20.flaky', true)])]);
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    expect(pictures.requests).toHaveLength(3);
  });

  it('is tried again only after a delay', async () => {
    failures = 1;
    const id = await bulk([product([named('/20.flaky', true)])]);
    await fetchAll({});
    await fetchAll({});
    expect(pictures.requests).toHaveLength(1);
    expect(await operation(id)).toMatchObject({ status: 'RUNNING', imagesPending: 1 });
  });

  it('is not tried again if the response is not a picture', async () => {
    const id = await bulk([product([named('/text', true)])]);
    await fetchAll();
    expect(pictures.requests).toHaveLength(1);
    expect(await operation(id)).toMatchObject({
      imagesFailed: 1,
      errors: [{ message: 'must be a JPEG, PNG, WebP, GIF or AVIF picture' }],
    });
  });

  it('is no longer counted or reported once a later request names pictures of its variant', async () => {
    const first = await bulk([product([named('/none')])]);
    await fetchAll();
    const before = await operation(first);
    await bulk([product([named('/20.png')])]);
    const after = await operation(first);
    expect([before, after]).toMatchObject([{ imagesFailed: 1 }, { imagesTotal: 0, imagesFailed: 0, errors: [] }]);
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
    await fetchAll();
  });

  it('is still reported if a later request names the product without pictures', async () => {
    const first = await bulk([product([named('/none')])]);
    await fetchAll();
    await bulk([product(undefined)]);
    expect(await operation(first)).toMatchObject({ imagesFailed: 1 });
  });

  it('does not stop the others', async () => {
    const id = await bulk([product([named('/none', true), named('/20.png', false, 1)])]);
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 1 });
    expect(await images()).toMatchObject([{ isMain: true, order: 1 }]);
  });

  it('is not stored if the product was deleted meanwhile', async () => {
    const id = await bulk([product([named('/20.png', true)])]);
    await deleteProductList(ctx, { idList: [await onlyProduct()] });
    await fetchAll();
    expect(await operation(id)).toMatchObject({
      imagesFailed: 1,
      errors: [{ message: 'belongs to what was deleted' }],
    });
    expect(await imageRows(ctx)).toEqual([]);
  });

  it('counts attempts whose process was killed, and is given up after three', async () => {
    const id = await bulk([product([named('/20.png', true)])]);
    const end = async (attempts: number) =>
      await database.db.execute(
        sql`update bulk_operation_image set attempts = ${attempts}, next_attempt_at = now() - interval '1 second' where merchant_id = ${ctx.merchantId}`,
      );
    await end(3);
    await fetchAll();
    expect(pictures.requests).toEqual([]);
    expect(await operation(id)).toMatchObject({
      imagesFailed: 1,
      errors: [{ message: 'was interrupted three times' }],
    });
  });
});

describe('while pictures cannot be stored', () => {
  it('an attempt does not count, and no other one is made until storing works', async () => {
    const id = await bulk([product([named('/20.png', true)])]);
    // The storage writes files into this folder before it renames them.
    const unfinished = join(parts.folder, '.unfinished');
    await rename(unfinished, `${unfinished}-away`);
    await writeFile(unfinished, '');
    const storage = monitorStorage(openFolderStorage(parts.folder), silent);
    expect(await attempts()).toBe(0);
    // The first check answers that the storage works, so one attempt is made before the failure is noticed.
    const answers = [true];
    const unnoticed = { ...storage, isWritable: async () => answers.pop() ?? (await storage.isWritable()) };
    await fetchBulkImages(
      { db: database.db, across: database.across, log: silent, ...parts, storage: unnoticed },
      { retryDelaysMs: [0, 0] },
    );
    await fetchBulkImages(
      { db: database.db, across: database.across, log: silent, ...parts, storage },
      { retryDelaysMs: [0, 0] },
    );
    expect(pictures.requests).toEqual(['/20.png']);
    expect(await attempts()).toBe(0);
    expect(await operation(id)).toMatchObject({ status: 'RUNNING', imagesPending: 1 });
    await rm(unfinished);
    await rename(`${unfinished}-away`, unfinished);
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    expect(pictures.requests).toEqual(['/20.png', '/20.png']);
  });
});

it.for([1, 3])('does not count attempt %i if the database could not store its picture', async (attempt, test) => {
  skipOnCluster(test, 'a distributed table has no triggers');
  const id = await bulk([product([named('/20.png', true)])]);
  await database.db.execute(
    sql`update bulk_operation_image set attempts = ${attempt - 1} where merchant_id = ${ctx.merchantId}`,
  );
  const lines: string[] = [];
  const log = { ...silent, error: (_: object, message?: string) => void lines.push(message!) };
  await database.owner.execute(sql`
    create function lack_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await database.owner.execute(
    sql`create trigger lack_space before insert on image for each row execute function lack_space()`,
  );
  await fetchBulkImages(
    { db: database.db, across: database.across, log, ...parts },
    { retryDelaysMs: [60_000, 60_000] },
  );
  await database.owner.execute(sql`drop function lack_space() cascade`);
  expect(lines).toEqual([]);
  expect(await attempts()).toBe(attempt - 1);
  expect(pictures.requests).toEqual(['/20.png']);
  expect(await storedKeys(parts, ctx)).toEqual([]);
  await database.db.execute(
    sql`update bulk_operation_image set next_attempt_at = now() where merchant_id = ${ctx.merchantId}`,
  );
  await fetchAll();
  expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
});

it('does not count an attempt if the database was away when its picture was stored', async () => {
  await bulk([product([named('/20.png', true)])]);
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  let refusals = 0;
  const execute = spyDatabase('execute', async ({ owner, run }) => {
    if (owner !== ctx.merchantId || refusals === 0) return await run();
    refusals -= 1;
    throw away;
  });
  const transaction = spyDatabase('transaction', async () => {
    refusals = 2;
    throw away;
  });
  await fetchAll({ retryDelaysMs: [60_000, 60_000] }).finally(() => {
    transaction.mockRestore();
    execute.mockRestore();
  });
  expect(await attempts()).toBe(0);
});

it('are not fetched any more after their app was revoked, and those of other apps are', async () => {
  const other = await createOtherApp(ctx);
  const revoked = await bulk([product([named('/20.png', true), named('/21.png')])]);
  const kept = await bulk([product([named('/22.png')], { sourceId: 'other' })], other);
  await revokeApp(ctx, ctx.session);
  await fetchAll();
  expect(pictures.requests).toEqual(['/22.png']);
  const message = 'was requested by an app that is revoked';
  const errors = [{ message }, { message }];
  expect(await operation(revoked)).toMatchObject({ status: 'COMPLETED', imagesFailed: 2, errors });
  expect(await operation(kept)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0, errors: [] });
});

it('does not count an attempt if its product stays locked', async (test) => {
  skipOnCluster(test, 'locks are waited for on the node of the merchant');
  const id = await bulk([product([named('/20.png', true)])]);
  await database.db.transaction(async (db) => {
    await db.execute(sql`select from product where merchant_id = ${ctx.merchantId} for update`);
    await fetchAll({ retryDelaysMs: [60_000, 60_000] });
  });
  expect(await attempts()).toBe(0);
  expect(await operation(id)).toMatchObject({ status: 'RUNNING', imagesPending: 1, imagesFailed: 0 });
});

it('sends one query if nothing is due', async () => {
  await database.owner.execute(sql`delete from bulk_operation_image where state = 'PENDING'`);
  const execute = vi.spyOn(PooledDatabase.prototype, 'execute');
  const across = vi.spyOn(database.across, 'rows');
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...parts });
  expect(across).toHaveBeenCalledTimes(1);
  expect(execute).toHaveBeenCalledTimes(1);
  execute.mockRestore();
  across.mockRestore();
});

describe('several fetchers at the same time', () => {
  it('make each attempt once', async () => {
    const wanted = Array.from({ length: 40 }, (_, index) => named(`/${20 + index}.png`, index === 0, index));
    const id = await bulk([product(wanted)]);
    await Promise.all([fetchAll(), fetchAll(), fetchAll()]);
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    expect(pictures.requests.toSorted()).toEqual(wanted.map(({ imageUrl }) => new URL(imageUrl).pathname).toSorted());
    expect((await images()).filter(({ isMain }) => isMain)).toMatchObject([{ order: 0 }]);
    expect(await images()).toHaveLength(40);
  });

  it('use a slot again as soon as it is free, and give no merchant all of them', async () => {
    const shops = [ctx, await createContext(database.db)];
    hanging.isHanging = true;
    await bulk(
      [product(Array.from({ length: 12 }, (_, index) => named(`/slow-${index}`, index === 0, index)))],
      shops[0],
    );
    const fetched = fetchAll();
    await vi.waitUntil(() => hanging.responses.length === 4);
    const id = await bulk(
      [product(Array.from({ length: 10 }, (_, index) => named(`/${20 + index}.png`, index === 0, index)))],
      shops[1],
    );
    await vi.waitUntil(async () => (await operation(id, shops[1])).status === 'COMPLETED', {
      timeout: 30_000,
      interval: 50,
    });
    expect(hanging.responses).toHaveLength(4);
    hanging.responses[0]!.writeHead(404).end();
    await vi.waitUntil(() => hanging.responses.length === 5);
    hanging.isHanging = false;
    for (const response of hanging.responses.slice(1)) response.writeHead(404).end();
    await fetched;
    expect(await operation(id, shops[1])).toMatchObject({ imagesPending: 0, imagesFailed: 0 });
    expect(pictures.requests.filter((path) => path.startsWith('/slow'))).toHaveLength(36);
  });

  it('serve all merchants, each with its own pictures', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, async () => await createContext(database.db)));
    for (const shop of shops) await bulk([product([named('/20.png', true)])], shop);
    await fetchAll();
    for (const shop of shops)
      expect(await images(shop)).toMatchObject([{ isMain: true, imageId: (await imageRows(shop))[0]!.id }]);
    expect(await imagesOf(ctx, (await variantsOf(ctx)).productId)).toEqual([[]]);
  });
});

describe('the small picture of a variant value', () => {
  const withThumbnail = (path: string) =>
    product(undefined, {
      productVariantTypes: [
        {
          order: 0,
          variantTypeName: 'Colour',
          variantValues: [{ name: 'Red', thumbnailImageUrl: `${pictures.url}${path}` }],
        },
      ],
    });
  const thumbnail = async () =>
    (await listVariantType(ctx, {}, { values: { thumbnailImageId: {} } }))[0]!.values[0]!.thumbnailImageId;

  it('is fetched in the same way, and again only from another address', async () => {
    const id = await bulk([withThumbnail('/20.png'), { ...withThumbnail('/20.png'), sourceId: 'q' }]);
    expect(await operation(id)).toMatchObject({ imagesPending: 1 });
    await fetchAll();
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    const [first] = await imageRows(ctx);
    expect(await thumbnail()).toBe(first!.id);
    expect(await operation(await bulk([withThumbnail('/20.png')]))).toMatchObject({ imagesPending: 0 });
    await bulk([withThumbnail('/21.png')]);
    await fetchAll();
    expect(pictures.requests).toEqual(['/20.png', '/21.png']);
    expect(await thumbnail()).not.toBe(first!.id);
  });

  it('is fetched by the latest request that names it, while it is still pending', async () => {
    const first = await bulk([withThumbnail('/20.png')]);
    const before = await operation(first);
    const second = await bulk([withThumbnail('/20.png')]);
    const after = await operation(first);
    expect(after).toMatchObject({ status: 'COMPLETED', imagesTotal: 0 });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
    expect(await operation(second)).toMatchObject({ status: 'RUNNING', imagesTotal: 1, imagesPending: 1 });
    await fetchAll();
    expect(await operation(second)).toMatchObject({ status: 'COMPLETED', imagesTotal: 1, imagesFailed: 0 });
    expect(pictures.requests).toEqual(['/20.png']);
  });

  it('stays if the latest request names its address, and the picture of an earlier one is still pending', async () => {
    await bulk([withThumbnail('/20.png')]);
    await fetchAll();
    const before = await thumbnail();
    const second = await bulk([withThumbnail('/21.png')]);
    const third = await bulk([withThumbnail('/20.png')]);
    expect(await operation(second)).toMatchObject({ status: 'COMPLETED', imagesTotal: 0 });
    expect(await operation(third)).toMatchObject({ status: 'COMPLETED', imagesTotal: 0 });
    await fetchAll();
    expect(await thumbnail()).toBe(before);
  });

  it('is fetched again if the value has got another picture since', async () => {
    const chosen = async (thumbnailImageId: string) => {
      const [type] = await listVariantType(ctx, {}, { id: {}, values: { id: {} } });
      const values = [{ id: type!.values[0]!.id, name: 'Red', thumbnailImageId }];
      await saveVariantType(
        ctx,
        { input: { id: type!.id, name: 'Colour', selectionType: 'choice', values } as never },
        { id: {} },
      );
    };
    await bulk([withThumbnail('/20.png')]);
    await fetchAll();
    await chosen(newId());
    expect(await operation(await bulk([withThumbnail('/20.png')]))).toMatchObject({ imagesTotal: 1 });
    await fetchAll();
    const fetched = (await thumbnail())!;
    expect((await imageRows(ctx)).map(({ id }) => id)).toContain(fetched);
    await bulk([withThumbnail('/21.png')]);
    await fetchAll();
    await chosen(fetched);
    expect(await operation(await bulk([withThumbnail('/20.png')]))).toMatchObject({ imagesTotal: 0 });
    expect(await operation(await bulk([withThumbnail('/21.png')]))).toMatchObject({ imagesTotal: 1 });
  });

  it('is reported with its path if it cannot be fetched', async () => {
    const id = await bulk([withThumbnail('/none')]);
    await fetchAll();
    expect(await operation(id)).toMatchObject({
      imagesFailed: 1,
      errors: [{ path: 'input.0.productVariantTypes.0.variantValues.0.thumbnailImageUrl' }],
    });
    expect(await thumbnail()).toBeNull();
  });

  it('is no longer reported once a later request names a picture of its value', async () => {
    const id = await bulk([withThumbnail('/none')]);
    await fetchAll();
    await bulk([withThumbnail('/20.png')]);
    expect(await operation(id)).toMatchObject({ imagesTotal: 0, imagesFailed: 0, errors: [] });
    await fetchAll();
  });
});
