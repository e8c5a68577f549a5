import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

const KEY = 'SUPPLIERKEY';
const ADDRESS = `https://feed.example/p/1.jpg?key=${KEY}`;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let product: { id: string; variants: { id: string }[] };
const imageId = newId();

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
/** A product with a picture that was fetched from an address, which a save removes. */
beforeEach(async () => {
  ctx = await createContext(database.db);
  await call('saveWebhook', {
    input: { endpoint: 'https://receiver.example/', scopes: ['store/product/updated'], includeChanges: true },
  });
  product = await call('saveProduct', { input: { ...mug, variants: [{ sku: 'm', prices: [{ sellPrice: 1 }] }] } });
  await setImages([{ imageId, isMain: true, order: 1.0, sourceUrl: ADDRESS, fileName: null, isVideo: null }]);
  await save([]);
});

const mug = { name: 'Mug', type: 'PHYSICAL' };
const own = () => sql`merchant_id = ${ctx.merchantId}`;
const path = () => `variants.${product.variants[0]!.id}.images`;

it('are in no change, with the other members of the pictures', async () => {
  const { data } = await call('listChange', { recordId: { eq: product.id } });
  const values = (data as { members: { path: string; before: string | null; after: string | null }[] }[])
    .flatMap(({ members }) => members)
    .filter((member) => member.path === path())
    .flatMap(({ before, after }) => [before, after])
    .filter((text) => text !== null)
    .map((text) => JSON.parse(text) as unknown[]);
  expect(values.filter((list) => list.length > 0)).toEqual([
    [{ imageId, isMain: true, order: 1, fileName: null, isVideo: null }],
    [{ imageId, isMain: true, order: 1, fileName: null, isVideo: null }],
  ]);
  expect(JSON.stringify(data)).not.toContain(KEY);
});

it('are not sent to a webhook that includes changes', async () => {
  const events = await database.db.execute<{ changes: { changedPaths: string[]; previous: string } }>(
    sql`select changes from webhook_delivery where ${own()} order by sequence`,
  );
  const { changedPaths, previous } = events.at(-1)!.changes;
  expect(changedPaths).toEqual([path()]);
  expect(JSON.parse(previous)).toMatchObject({ [path()]: [{ imageId }] });
  expect(JSON.stringify(events)).not.toContain(KEY);
});

it('are in no conflict of a revert', async () => {
  await setImages([{ imageId, isMain: true, order: 2, sourceUrl: `${ADDRESS}2`, fileName: null, isVideo: null }]);
  const [setId] = (await changeSets()).toReversed().slice(1);
  const { errors } = await server.call(ctx, 'revertChanges', { input: { changeSetId: setId } });
  expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', conflicts: [{ path: path() }] } }]);
  expect(JSON.stringify(errors)).not.toContain(KEY);
});

it('are restored by a revert, whose answer does not show them', async () => {
  const { records } = await call('revertChanges', { input: { changeSetId: (await changeSets()).at(-1) } });
  expect(records).toMatchObject([{ members: [{ path: path() }] }]);
  expect(JSON.stringify(records)).not.toContain(KEY);
  const [variant] = await database.db.execute(sql`select images from variant where ${own()}`);
  expect(variant).toMatchObject({ images: [{ imageId, sourceUrl: ADDRESS }] });
});

it.each(['imageUrl', 'thumbnailImageUrl'])('with a password are refused with the request as %s', async (member) => {
  const refused = ['https://user:hunter2@host.example/1.jpg', 'https:\\\\user@host.example/1.jpg'];
  for (const url of refused) {
    const { errors } = await server.call(ctx, 'bulkUpdateProducts', { input: [entry(member, url)] });
    const issues = [{ path: expect.arrayContaining([member]), message: 'must not contain a user name or a password' }];
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues } }]);
  }
  for (const url of ['https://host.example/@user/1.jpg', 'https://host.example/1.jpg?to=a@b.example', 'no address']) {
    const { errors } = await server.call(ctx, 'bulkUpdateProducts', { input: [entry(member, url)] });
    expect(errors).toBeUndefined();
  }
});

function entry(member: string, url: string): object {
  const images = member === 'imageUrl' ? [{ imageUrl: url, isMain: true, order: 1 }] : [];
  const value = { name: 'Red', ...(member === 'thumbnailImageUrl' && { thumbnailImageUrl: url }) };
  return {
    ...mug,
    sourceId: 'bulk',
    categories: [],
    productVariantTypes: [{ order: 1, variantTypeName: 'Color', variantValues: [value] }],
    variants: [
      {
        sourceId: 'v',
        prices: [{ sellPrice: 1 }],
        images,
        variantValues: [{ variantTypeName: 'Color', variantValueName: 'Red' }],
      },
    ],
  };
}

async function setImages(images: object[]): Promise<void> {
  await database.db.execute(sql`update variant set images = ${JSON.stringify(images)}::json where ${own()}`);
}

async function save(images: object[]): Promise<void> {
  const [variant] = product.variants;
  const variants = [{ id: variant!.id, sku: 'm', prices: [{ sellPrice: 1 }], images }];
  await call('saveProduct', { input: { ...mug, id: product.id, variants } });
}

async function changeSets(): Promise<string[]> {
  const rows = await database.db.execute<{ id: string }>(
    sql`select change_set_id as id from change where ${own()} and record_id = ${product.id} order by id`,
  );
  return rows.map(({ id }) => id);
}

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await server.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data![name];
}
