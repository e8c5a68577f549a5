import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { fetchBulkImages } from '../../../src/image/bulk/fetch-bulk-images.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { getBulkOperation } from '../../../src/product/getBulkOperation.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateProduct } from '../../../src/product/updateProduct.ts';
import { allOfBulkOperation } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { silent } from '../log.ts';
import { type PictureServer, startPictureServer } from '../picture-server.ts';
import { noise } from '../pictures.ts';
import { openImageDependencies } from '../shop.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let pictures: PictureServer;
let ctx: Context;
/** Paths whose next request fails, so that their pictures are fetched after the others. */
const late = new Set<string>();

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  const same = await noise(30, 10).png().toBuffer();
  pictures = await startPictureServer((path, response) => {
    if (path === '/none') response.writeHead(404).end();
    else if (late.delete(path)) response.writeHead(503).end();
    else if (path.startsWith('/same')) response.end(same);
    else return false;
    return true;
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

type Named = [path: string, isMain: boolean, order: number];

const fetchAll = async () =>
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...parts }, { retryDelaysMs: [0, 0] });

async function send(...images: Named[]): Promise<string> {
  const named = images.map(([path, isMain, order]) => ({ imageUrl: pictures.url + path, isMain, order }));
  const variants = [{ sourceId: 'v', isActive: true, prices: [{ sellPrice: 1 }], images: named }];
  const entry = { sourceId: 'p', name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants };
  return await bulkUpdateProducts(ctx, { input: [entry] as never });
}

async function stored() {
  const selection = {
    data: { id: {}, version: {}, updatedAt: {}, variants: { id: {}, images: { imageId: {}, isMain: {}, order: {} } } },
  };
  return (await listProduct(ctx, {}, selection)).data[0]!;
}

/** Sends the request and fetches its pictures, and then expects that a repetition changes nothing. */
async function sendTwice(...images: Named[]): Promise<void> {
  await send(...images);
  await fetchAll();
  const before = await stored();
  await send(...images);
  await fetchAll();
  expect(await stored()).toEqual(before);
}

/** The addresses of the stored pictures, with a mark for the main one. */
async function shown(): Promise<string[]> {
  const rows = await database.db.execute<{ images: { sourceUrl?: string; isMain: boolean }[] | null }>(
    `select images from variant where merchant_id = '${ctx.merchantId}'`,
  );
  return rows[0]!.images!.map(
    ({ sourceUrl, isMain }) => `${sourceUrl?.replace(pictures.url, '') ?? 'uploaded'}${isMain ? ' main' : ''}`,
  );
}

describe.each([
  ['in order', []],
  ['the second one first', ['/20.png']],
  ['the last one first', ['/20.png', '/21.png']],
])('of pictures that are fetched %s', (_, lateOnes) => {
  const cases: [string, Named[], string[]][] = [
    [
      'the first in order is the main one if none is named',
      [
        ['/20.png', false, 1],
        ['/21.png', false, 2],
        ['/22.png', false, 3],
      ],
      ['/20.png main', '/21.png', '/22.png'],
    ],
    [
      'the first that was sent is the main one if all have the same order',
      [
        ['/20.png', false, 0],
        ['/21.png', false, 0],
        ['/22.png', false, 0],
      ],
      ['/20.png main', '/21.png', '/22.png'],
    ],
    [
      'the named one is the main one',
      [
        ['/20.png', false, 1],
        ['/21.png', true, 2],
        ['/22.png', false, 3],
      ],
      ['/20.png', '/21.png main', '/22.png'],
    ],
    [
      'the first in order is the main one if the named one cannot be fetched',
      [
        ['/22.png', false, 3],
        ['/21.png', false, 2],
        ['/20.png', false, 1],
        ['/none', true, 9],
      ],
      ['/20.png main', '/21.png', '/22.png'],
    ],
    [
      'two addresses of the same picture become one, the first in order',
      [
        ['/21.png', true, 5],
        ['/same-a', false, 2],
        ['/same-b', false, 1],
        ['/20.png', false, 3],
      ],
      ['/same-b', '/20.png', '/21.png main'],
    ],
  ];
  it.each(cases)('%s, and nothing changes if they are sent again', async (_name, images, expected) => {
    const sameLate = lateOnes.length === 1 ? ['/same-b'] : lateOnes.length === 2 ? ['/same-a'] : [];
    for (const path of [...lateOnes, ...sameLate]) late.add(path);
    await send(...images);
    await fetchAll();
    expect(await shown()).toEqual(expected);
    const before = await stored();
    for (const path of sameLate) late.add(path);
    await send(...images);
    await fetchAll();
    late.clear();
    expect(await stored()).toEqual(before);
    expect(await shown()).toEqual(expected);
  });
});

describe('a picture that the variant has from an earlier request', () => {
  it('is no longer the main one if the request says so and another one comes first', async () => {
    await sendTwice(['/20.png', true, 1]);
    await sendTwice(['/20.png', false, 2], ['/21.png', false, 1]);
    expect(await shown()).toEqual(['/21.png main', '/20.png']);
  });

  it('comes after a new one that is before it in the list', async () => {
    await sendTwice(['/20.png', false, 0], ['/21.png', false, 0]);
    await sendTwice(['/22.png', false, 0], ['/20.png', false, 0], ['/21.png', false, 0]);
    expect(await shown()).toEqual(['/22.png main', '/20.png', '/21.png']);
    await sendTwice(['/21.png', false, 0], ['/23.png', false, 0], ['/22.png', false, 0]);
    expect(await shown()).toEqual(['/21.png main', '/23.png', '/22.png']);
  });

  it('stays the main one while the first in order cannot be fetched', async () => {
    await sendTwice(['/20.png', true, 1]);
    await sendTwice(['/none', false, 0], ['/20.png', false, 1]);
    expect(await shown()).toEqual(['/20.png main']);
  });

  it('is not counted again', async () => {
    const read = async (id: string) => await getBulkOperation(ctx, { id }, allOfBulkOperation);
    const first = await send(['/20.png', false, 0], ['/21.png', false, 0]);
    await fetchAll();
    const before = await read(first);
    const second = await send(['/22.png', false, 0], ['/20.png', false, 0], ['/21.png', false, 0]);
    expect(await read(second)).toMatchObject({ status: 'RUNNING', imagesTotal: 1, imagesPending: 1 });
    await fetchAll();
    expect(await read(second)).toMatchObject({ status: 'COMPLETED', imagesTotal: 1, imagesPending: 0, errors: [] });
    expect(await read(first)).toEqual(before);
  });
});

describe('of a list that has an address twice', () => {
  it.each<[string, Named[], string[]]>([
    [
      'the main image counts',
      [
        ['/20.png', true, 0],
        ['/21.png', false, 1],
        ['/20.png', false, 2],
      ],
      ['/20.png main', '/21.png'],
    ],
    [
      'the main image counts where it is the last',
      [
        ['/20.png', false, 0],
        ['/21.png', false, 1],
        ['/20.png', true, 2],
      ],
      ['/21.png', '/20.png main'],
    ],
    [
      'the first in order counts if neither is the main image',
      [
        ['/20.png', false, 3],
        ['/21.png', false, 2],
        ['/20.png', false, 1],
      ],
      ['/20.png main', '/21.png'],
    ],
  ])('%s, also if it is sent again', async (_, images, expected) => {
    await sendTwice(...images);
    expect(await shown()).toEqual(expected);
  });

  it('an address counts once, and an error names its place in the list', async () => {
    const id = await send(['/20.png', false, 0], ['/none', false, 2], ['/none', false, 1], ['/20.png', false, 2]);
    await fetchAll();
    expect(await getBulkOperation(ctx, { id }, allOfBulkOperation)).toMatchObject({
      imagesTotal: 2,
      errors: [{ path: 'input.0.variants.0.images.2.imageUrl' }],
    });
  });
});

it('an uploaded picture that is named by its path has its place in the list', async () => {
  await send(['/20.png', false, 0]);
  const { id, variants } = await stored();
  const images = [{ imageId: newId(), isMain: true, order: 0 }];
  await updateProduct(ctx, { id, patch: { variants: [{ id: variants[0]!.id, images }] } }, { id: {} });
  const path = `/images/${ctx.merchantId}/${images[0]!.imageId}/image_3840.webp`;
  await sendTwice([path, false, 0], ['/20.png', false, 0]);
  expect(await shown()).toEqual(['uploaded main', '/20.png']);
  await sendTwice(['/21.png', false, 0], [path, false, 0], ['/20.png', false, 0]);
  expect(await shown()).toEqual(['/21.png main', 'uploaded', '/20.png']);
});

it('a main picture that the merchant has chosen meanwhile is kept until the entry names another one', async () => {
  late.add('/20.png');
  await send(['/20.png', false, 1], ['/21.png', false, 2]);
  const { id, variants } = await stored();
  const chosen = { imageId: newId(), isMain: true, order: 9 };
  await updateProduct(ctx, { id, patch: { variants: [{ id: variants[0]!.id, images: [chosen] }] } }, { id: {} });
  await fetchAll();
  expect((await stored()).variants[0]!.images).toMatchObject([{ isMain: false }, { isMain: false }, chosen]);
});
