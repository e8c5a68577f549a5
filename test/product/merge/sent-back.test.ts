import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type CallOperation, startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { fullProductInput, variantTypeOf } from '../products.ts';

const RUNS = 25;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let products: Arbitrary<object>;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  products = await productInputs(ctx);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Read = Record<string, unknown> & { id: string; version: number; variants: Read[]; metaData: Read };

async function answerOf(...[context, name, variables]: Parameters<CallOperation>): Promise<never> {
  const { data, errors } = await server.call(context, name, variables);
  expect(errors).toBeUndefined();
  return data![name] as never;
}
const save = async (input: object): Promise<Read> => await answerOf(ctx, 'saveProduct', { input });
const read = async (id: string): Promise<Read> => {
  const page: { data: Read[] } = await answerOf(ctx, 'listProduct', { id: { eq: id }, includeDeleted: true });
  return page.data[0]!;
};

describe('a product that is sent back as it was read', () => {
  it('is not changed, `updatedAt` and `version` included', async () => {
    await fc.assert(
      fc.asyncProperty(products, async (input) => {
        const { id } = await save(input);
        const before = await read(id);
        expect(await save(sentBack('saveProduct', before))).toEqual(before);
        expect(await read(id)).toEqual(before);
      }),
      { numRuns: RUNS },
    );
  });

  it('may have every member of a price, also those that come from its price list', async () => {
    const { dynamicPriceListIds } = await fullProductInput(ctx);
    const prices = [{ sellPrice: 2 }, { sellPrice: 1, priceListId: dynamicPriceListIds[0] }];
    const before = await save({ name: 'Priced', type: 'PHYSICAL', variants: [{ prices }] });
    const variants = before.variants.map(({ id, prices }) => ({ id, prices }));
    expect(Object.keys((variants[0]!.prices as object[])[1]!)).toEqual(
      expect.arrayContaining(['currencyCode', 'currencySymbol', 'isComputed']),
    );
    expect(await save({ id: before.id, name: 'Priced', type: 'PHYSICAL', variants })).toEqual(before);
  });

  it('is not changed, also if a variant between others was deleted before', async () => {
    const variants = ['A', 'B', 'C'].map((sku) => ({ sku, prices: [{ sellPrice: 1 }] }));
    const { id, ...created } = await save({ name: 'Three', type: 'PHYSICAL', variants });
    const sent = created.variants.map((variant, index) => ({ id: variant.id, prices: [], deleted: index === 1 }));
    const before = await save({ id, name: 'Three', type: 'PHYSICAL', variants: sent });
    expect(before.variants.map(({ sku }) => sku)).toEqual(['A', 'C']);
    expect(await save(sentBack('saveProduct', before))).toEqual(before);
  });

  it.each<[string, (product: Read) => object]>([
    ['its name', () => ({ name: 'Renamed' })],
    ['a member of its metadata', ({ metaData }) => ({ metaData: { slug: metaData['slug'], pageTitle: 'New' } })],
    ['its slug', () => ({ metaData: { slug: newId() } })],
    ['a price', ({ variants: [first] }) => ({ variants: [{ id: first!.id, prices: [{ sellPrice: 2 }] }] })],
    [
      'the order of its variants',
      ({ variants }) => ({ variants: variants.toReversed().map(({ id }) => ({ id, prices: [] })) }),
    ],
    ['a removed variant', ({ variants: [first] }) => ({ variants: [{ id: first!.id, prices: [] }] })],
  ])('gets a new version and time with %s', async (_name, changed) => {
    const variants = ['A', 'B'].map((sku) => ({ sku, prices: [{ sellPrice: 1 }] }));
    const before = await save({ name: 'Changing', type: 'PHYSICAL', variants });
    const after = await save({ ...sentBack('saveProduct', before), ...changed(before) });
    expect(after.version).toBe(before.version + 1);
    expect(after['updatedAt']).toBeGreaterThan(before['updatedAt'] as number);
  });
});

/** Generates inputs of products with any of their members, with ids of records of the merchant. */
async function productInputs(own: Context): Promise<Arbitrary<object>> {
  const full = await fullProductInput(own);
  const colour = await variantTypeOf(own, 'red', 'green', 'blue', 'black');
  const [listId] = full.dynamicPriceListIds;
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });
  const amount = fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100);
  const some = <T>(value: Arbitrary<T>) => fc.option(value, { nil: null, freq: 6 });
  const members = <T extends object>(shape: { [K in keyof T]: Arbitrary<T[K]> }, requiredKeys: (keyof T)[]) =>
    fc.record(shape, { requiredKeys });
  const price = members(
    { sellPrice: amount, buyPrice: some(amount), discountPrice: some(amount), currency: some(currencies()) },
    ['sellPrice'],
  );
  const translations = fc.uniqueArray(
    members({ locale: fc.constantFrom('de', 'en', 'tr'), name: some(text), description: some(text) }, ['locale']),
    { selector: ({ locale }) => locale },
  );
  const image = members(
    {
      imageId: fc.uuid(),
      isMain: fc.constant(false),
      order: fc.integer(),
      fileName: some(text),
      isVideo: some(fc.boolean()),
    },
    ['imageId', 'isMain', 'order'],
  );
  const variant = members(
    {
      prices: fc.tuple(price, fc.option(price.map((row) => ({ ...row, priceListId: listId })))).map(withoutNulls),
      sku: some(text),
      isActive: fc.boolean(),
      barcodeList: some(fc.array(text, { maxLength: 2 })),
      images: some(fc.uniqueArray(image, { maxLength: 3, selector: ({ imageId }) => imageId })),
      sellIfOutOfStock: some(fc.boolean()),
      weight: some(amount),
      unit: some(members({ type: fc.constant('GRAM'), amount: some(amount) }, ['type'])),
      hsCode: some(text),
      bundleSettings: some(fc.constantFrom(full.variants[1]!.bundleSettings)),
    },
    ['prices'],
  );
  const variants = fc.tuple(fc.array(variant, { maxLength: 4 }), fc.boolean()).map(([list, hasOptions]) =>
    list.map((entry, index) => ({
      ...entry,
      ...(hasOptions && {
        variantValueIds: [{ variantTypeId: colour.id, variantValueId: colour.values[index]!.id }],
      }),
    })),
  );
  const metaData = members(
    {
      slug: fc.uuid(),
      pageTitle: some(text),
      description: some(text),
      canonicals: some(fc.array(text, { maxLength: 2 })),
      disableIndex: some(fc.boolean()),
      metadataOverrides: some(fc.constant([{ pageTitle: 'p', description: 'd' }])),
      translations: some(fc.constantFrom([{ locale: 'de' }], [{ locale: 'de', slug: 'hemd' }], [])),
    },
    ['slug'],
  );
  return members(
    {
      name: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }).map((name) => `P${name}`),
      type: fc.constantFrom('PHYSICAL', 'BUNDLE'),
      variants,
      brandId: some(fc.constant(full.brandId)),
      tagIds: some(fc.subarray(full.tagIds)),
      categoryIds: some(fc.constant(full.categoryIds)),
      salesChannelIds: some(fc.constant(full.salesChannelIds)),
      salesChannels: some(fc.constantFrom(full.salesChannels, [])),
      dynamicPriceListIds: some(fc.constant(full.dynamicPriceListIds)),
      attributes: some(fc.constantFrom(full.attributes, [])),
      baseUnit: some(
        members({ type: fc.constant('GRAM'), baseAmount: amount, unitId: some(text) }, ['type', 'baseAmount']),
      ),
      description: some(text),
      shortDescription: some(text),
      googleTaxonomyId: some(text),
      maxQuantityPerCart: some(amount),
      metaData: some(metaData),
      productVariantTypes: some(fc.constantFrom(full.productVariantTypes, [])),
      releaseDate: some(fc.integer({ min: 0, max: 4_000_000_000_000 })),
      translations: some(translations),
      vendorId: some(text),
      weight: some(fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
    },
    ['name', 'type', 'variants'],
  );
}

/** The currencies of the merchant, of the price list, and another one. */
function currencies(): Arbitrary<string> {
  return fc.constantFrom('USD', 'EUR', 'TRY');
}

function withoutNulls<T>(list: (T | null)[]): T[] {
  return list.filter((entry) => entry !== null);
}
