import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { sentBack } from '../support/sent-back.ts';
import { fullProductInput } from './products.ts';

const RUNS = 40;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Read = Record<string, unknown> & {
  id: string;
  version: number;
  updatedAt: number;
  variants: Read[];
  prices: Read[];
};

const patched = async (id: string, patch: object, version?: number, context = ctx) =>
  await server.call(context, 'updateProduct', { id, patch, ...(version === undefined ? {} : { version }) });
const save = async (input: object): Promise<Read> =>
  (await server.call(ctx, 'saveProduct', { input })).data!['saveProduct'] as never;
const update = async (...args: Parameters<typeof patched>): Promise<Read> => {
  const { data, errors } = await patched(...args);
  expect(errors).toBeUndefined();
  return data!['updateProduct'] as never;
};
const errorOf = async (...args: Parameters<typeof patched>) => (await patched(...args)).errors![0]!.extensions;
const issue = (path: unknown[], message: unknown = expect.any(String)) =>
  expect.objectContaining({ code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path, message }] });

const three = () => ({
  name: 'Three',
  type: 'PHYSICAL',
  variants: ['A', 'B', 'C'].map((sku) => ({
    sku,
    weight: 1,
    isActive: false,
    prices: [{ sellPrice: 10, buyPrice: 4 }],
  })),
});

describe('updateProduct', () => {
  it('refuses a patch after which the product would have more than 1,000 variants', async () => {
    const variants = Array.from({ length: 999 }, () => ({ prices: [{ sellPrice: 1 }] }));
    const product = await save({ name: 'Many', type: 'PHYSICAL', variants });
    const added = { prices: [{ sellPrice: 1 }] };
    const { variants: stored } = await update(product.id, { variants: [added] });
    expect(await errorOf(product.id, { variants: [added] })).toEqual(
      issue(['patch', 'variants'], 'must leave the product with at most 1,000 variants'),
    );
    await update(product.id, { variants: [added, { id: stored[0]!.id, deleted: true }] });
  });

  it('changes only the members in the patch', async () => {
    const input = await fullProductInput(ctx);
    const before = await save({ ...input, sourceId: newId() });
    const after = await update(before.id, { name: 'Named', metaData: { pageTitle: 'Other' } });
    expect(after).toEqual({
      ...before,
      name: 'Named',
      metaData: { ...(before['metaData'] as object), pageTitle: 'Other', updatedAt: expect.any(Number) },
      version: before.version + 1,
      updatedAt: expect.any(Number),
    });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
  });

  it('places restored and added variants after the others, in the order of the patch', async () => {
    const { id, variants } = await save(three());
    const [a, b, c] = variants as [Read, Read, Read];
    await update(id, { variants: [{ id: b.id, deleted: true }] });
    await update(id, { variants: [{ id: a.id, deleted: true }] });
    const restored = await update(id, {
      variants: [
        { id: b.id, deleted: false },
        { sku: 'D', prices: [{ sellPrice: 1 }] },
        { id: a.id, deleted: false },
        { id: c.id, weight: 2 },
      ],
    });
    expect(restored.variants.map(({ sku }) => sku)).toEqual(['C', 'B', 'D', 'A']);
  });

  it('changes variants by id, without reordering or losing others, and adds new ones at the end', async () => {
    const { id, variants } = await save(three());
    const [a, b, c] = variants as [Read, Read, Read];
    const after = await update(id, {
      variants: [
        { id: c.id, sku: 'C2' },
        { sku: 'D', prices: [{ sellPrice: 1 }] },
        { id: a.id, prices: [{ discountPrice: 8 }] },
      ],
    });
    // The change itself is recorded when the transaction ends.
    const lowestPriceBeforeReduction = expect.objectContaining({ sellPrice: 10, reason: null });
    expect(after.variants.slice(0, 3)).toEqual([
      {
        ...a,
        prices: [{ ...a.prices[0], discountPrice: 8, lowestPriceBeforeReduction }],
        updatedAt: expect.any(Number),
      },
      b,
      { ...c, sku: 'C2', updatedAt: expect.any(Number) },
    ]);
    expect(after.variants[3]).toMatchObject({ sku: 'D', isActive: true });
    const removed = await update(id, { variants: [{ id: b.id, deleted: true }] });
    expect(removed.variants.map(({ sku }) => sku)).toEqual(['A', 'C2', 'D']);
    expect((await update(id, { variants: [{ id: b.id, weight: 2 }] })).variants).toHaveLength(3);
    expect((await update(id, { variants: [{ id: b.id, deleted: false }] })).variants.map(({ sku }) => sku)).toEqual([
      'A',
      'C2',
      'D',
      'B',
    ]);
  });

  it('clears with null, and replaces lists', async () => {
    const { id, variants } = await save({ ...(await fullProductInput(ctx)), sourceId: newId() });
    const after = await update(id, {
      brandId: null,
      sourceId: null,
      tagIds: [],
      weight: null,
      variants: [{ id: variants[0]!.id, sku: null, barcodeList: ['333'], images: null }],
    });
    expect(after).toMatchObject({ brandId: null, sourceId: null, tagIds: [], weight: null });
    expect(after.variants[0]).toMatchObject({ sku: null, barcodeList: ['333'], images: [] });
  });

  it('changes nothing with an empty patch, or with the members as they were read', async () => {
    const before = await save({ ...(await fullProductInput(ctx)), sourceId: newId() });
    const {
      id,
      version: _version,
      createdAt: _created,
      updatedAt: _updated,
      ...members
    } = sentBack('saveProduct', before) as Read;
    const names = Object.keys(members).filter((name) => name !== 'variants');
    const variants = (members.variants as Read[]).map(({ createdAt: _c, updatedAt: _u, ...variant }) => variant);
    const metaData = (({ pageTitle, slug, description }: Read) => ({ pageTitle, slug, description }))(
      members['metaData'] as Read,
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(names), fc.shuffledSubarray(variants), async (chosen, sent) => {
        const patch = Object.fromEntries(chosen.map((name) => [name, name === 'metaData' ? metaData : members[name]]));
        expect(await update(id, { ...patch, variants: sent }, before.version)).toEqual(before);
      }),
      { numRuns: RUNS },
    );
    expect(await update(id, {})).toEqual(before);
  });

  it('refuses a version that is not the stored one, and applies a patch without version to any', async () => {
    const { id, version } = await save(three());
    await update(id, { weight: 2 }, version);
    expect(await errorOf(id, { weight: 3 }, version)).toMatchObject({ code: 'CONFLICT', version: version + 1 });
    expect(await update(id, { weight: 4 })).toMatchObject({ weight: 4, version: version + 2 });
  });

  it('refuses null in required members, with the path of the member, and changes nothing', async () => {
    const before = await save(three());
    const variant = before.variants[0]!.id;
    const refused: [object, unknown[]][] = [
      [{ name: null }, ['patch', 'name']],
      [{ name: ' ' }, ['patch', 'name']],
      [{ type: null }, ['patch', 'type']],
      [{ variants: null }, ['patch', 'variants']],
      [{ metaData: { slug: null } }, ['patch', 'metaData', 'slug']],
      [{ variants: [{ id: variant, isActive: null }] }, ['patch', 'variants', 0, 'isActive']],
      [{ variants: [{ id: variant, prices: null }] }, ['patch', 'variants', 0, 'prices']],
      [
        { variants: [{ id: variant, prices: [{ sellPrice: null }] }] },
        ['patch', 'variants', 0, 'prices', 0, 'sellPrice'],
      ],
      [
        { variants: [{ id: variant, prices: [{ sellPrice: -1 }] }] },
        ['patch', 'variants', 0, 'prices', 0, 'sellPrice'],
      ],
      [{ variants: [{ prices: [{ buyPrice: 1 }] }] }, ['patch', 'variants', 0, 'prices', 0, 'sellPrice']],
      [{ variants: [{ sku: 'new' }] }, ['patch', 'variants', 0, 'prices']],
      [{ variants: [{ id: variant }, { id: variant }] }, ['patch', 'variants', 1, 'id']],
    ];
    for (const [patch, path] of refused) expect(await errorOf(before.id, patch)).toEqual(issue(path));
    expect(await update(before.id, {})).toEqual(before);
  });

  it('answers NOT_FOUND for unknown and foreign ids, with their path', async () => {
    const { id } = await save(three());
    const stranger = await createContext(database.db);
    expect(await errorOf(id, { name: 'x' }, undefined, stranger)).toMatchObject({ code: 'NOT_FOUND', path: ['id'] });
    expect(await errorOf('no id', {})).toMatchObject({ code: 'NOT_FOUND', ids: ['no id'] });
    expect(await errorOf(id, { variants: [{ id: newId(), sku: 'x' }] })).toMatchObject({
      code: 'NOT_FOUND',
      type: 'Variant',
      path: ['patch', 'variants', 0, 'id'],
    });
    expect(await errorOf(id, { brandId: newId() })).toMatchObject({ code: 'NOT_FOUND', path: ['patch', 'brandId'] });
  });

  it('needs the scope write_products', async () => {
    const reader = await createContext(database.db, ['read_products']);
    expect(await errorOf(newId(), {}, undefined, reader)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('sourceId', () => {
  const listed = async (args: object) => {
    const { data } = await server.call(ctx, 'listProduct', args);
    return (data!['listProduct'] as { data: Read[] }).data.map(({ id }) => id);
  };

  it("finds products and variants by the client's keys, also those of bulk requests", async () => {
    const [own, other] = [newId(), newId()];
    const variants = [{ sourceId: `${own}-S`, prices: [{ sellPrice: 1 }] }];
    const bulk = { sourceId: own, name: 'Fed', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants };
    await server.call(ctx, 'bulkUpdateProducts', { input: [bulk] });
    const [fed] = await listed({ sourceId: { eq: own } });
    const saved = await save({ ...three(), sourceId: other });
    expect(await update(fed!, {})).toMatchObject({ sourceId: own, variants: [{ sourceId: `${own}-S` }] });
    expect(await listed({ sourceId: { in: [own, other] }, sort: 'createdAt' })).toEqual([fed, saved.id]);
    expect(await listed({ variantSourceId: { eq: `${own}-S` } })).toEqual([fed]);
    expect(await listed({ sourceId: { eq: own, ne: own } })).toEqual([]);
    expect(await listed({ sourceId: { isNull: true }, id: { in: [fed!, saved.id] } })).toEqual([]);
    expect(await listed({ variantSourceId: { isNull: true }, id: { in: [fed!, saved.id] } })).toEqual([saved.id]);
    const stranger = await createContext(database.db);
    const { data } = await server.call(stranger, 'listProduct', { sourceId: { eq: own } });
    expect(data!['listProduct']).toMatchObject({ count: 0 });
  });

  it('belongs to one product: a second one is CONFLICT', async () => {
    const first = await save({ ...three(), sourceId: newId() });
    const second = await save(three());
    expect(await errorOf(second.id, { sourceId: first['sourceId'] })).toMatchObject({ code: 'CONFLICT' });
    expect(await update(second.id, {})).toEqual(second);
  });
});
