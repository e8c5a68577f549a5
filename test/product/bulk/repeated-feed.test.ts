import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { entry, feeding, type Feeds, type Read, size, sizes } from './feeds.ts';

const REPETITIONS = 20;

const feeds = feeding();
let shop: Feeds;
beforeEach(() => {
  shop = feeds();
});

const prices = [{ sellPrice: 5 }];

/** A product with a value in every member of a feed. */
async function fullEntry(): Promise<object> {
  const { id: stockLocationId } = await shop.save('saveStockLocation', { name: 'Store' });
  const { id: priceListId } = await shop.save('savePriceList', { name: 'Europe', currency: 'EUR' });
  const { id: channel } = await shop.save('saveSalesChannel', { name: 'Web', type: 'STOREFRONT' });
  const variants = [
    {
      ...size('S'),
      sourceId: 's',
      sku: 'S-1',
      barcodeList: ['1'],
      prices: [
        { sellPrice: 5, buyPrice: 3, discountPrice: 4, currencyCode: 'TRY' },
        { sellPrice: 6, buyPrice: 2, priceListId },
      ],
      stocks: [{ stockLocationId, stockCount: 40 }],
      hsCode: 'hs',
      weight: 1.5,
    },
    { ...size('M'), sourceId: 'm', sku: 'M-1', prices, stocks: [{ stockLocationId, stockCount: 2 }] },
  ];
  return entry('full', variants, {
    ...sizes('S', 'M'),
    brand: { name: 'Acme' },
    categories: [{ name: ['Clothes'] }],
    tags: [{ name: 'new' }],
    metaData: { slug: 'full', pageTitle: 'Title', canonicals: ['https://shop.invalid/a'] },
    description: 'd',
    shortDescription: 's',
    googleTaxonomyId: 'g',
    salesChannelIds: [channel],
    salesChannels: [{ id: channel, status: 'VISIBLE' }],
    maxQuantityPerCart: 3,
    vendor: 'v',
    weight: 2,
  });
}

describe('a product of a feed', () => {
  it('keeps what a later feed leaves out', async () => {
    const full = await fullEntry();
    await shop.feed(full);
    const before = await shop.product();
    const [s, m] = before.variants.map(({ id, prices }) => ({ id, prices }));
    const bare = entry('full', [{ sourceId: 's', prices: [] }], { categories: [{ name: ['Clothes'] }] });
    await shop.feed(bare);
    expect(await shop.product()).toEqual(before);
    await shop.feed({ ...bare, variants: [{ sku: 'S-1', prices: [{ sellPrice: 7 }] }] });
    const { variants } = await shop.product();
    expect(variants).toMatchObject([
      { id: s!.id, prices: [{ sellPrice: 7, buyPrice: 3, discountPrice: 4, currency: 'TRY' }, s!.prices[1]] },
      m!,
    ]);
    const cleared = { sellPrice: 7, buyPrice: null, discountPrice: null, currencyCode: null };
    await shop.feed({ ...bare, variants: [{ sku: 'S-1', prices: [cleared] }] });
    expect((await shop.product()).variants[0]!.prices[0]).toMatchObject({
      sellPrice: 7,
      buyPrice: null,
      discountPrice: null,
      currency: 'USD',
    });
  });

  it('stores no currency that is the one of the price list or the merchant', async () => {
    const { id: priceListId } = await shop.save('savePriceList', { name: 'Europe', currency: 'EUR' });
    const sent = [
      { sellPrice: 1, currencyCode: 'USD' },
      { sellPrice: 1, currencyCode: 'EUR', priceListId },
    ];
    await shop.feed(entry('p', [{ prices: sent }]));
    await shop.save('savePriceList', { id: priceListId, name: 'Europe', currency: 'GBP' });
    expect((await shop.product()).variants).toMatchObject([{ prices: [{ currency: 'USD' }, { currency: 'GBP' }] }]);
  });

  it('does not change if a deleted variant is deleted again after others were added', async () => {
    const variant = (sourceId: string, more: object = {}) => ({ sourceId, prices, ...more });
    await shop.feed(entry('p', [variant('a'), variant('b')]));
    await shop.feed(entry('p', [variant('b', { deleted: true })]));
    await shop.feed(entry('p', [variant('c'), variant('d')]));
    const before = await shop.product();
    const again = variant('b', { deleted: true });
    await shop.feed(entry('p', [variant('a'), again, variant('c'), variant('d')]));
    expect(await shop.product()).toEqual(before);
    await shop.feed(entry('p', [variant('b', { deleted: false })]));
    const { variants } = await shop.product();
    expect(new Set(variants.map(({ sourceId }) => sourceId))).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  it('does not change if it has a variant that the shop has deleted beside one that the shop has added', async () => {
    const variant = (sourceId: string) => ({ sourceId, prices });
    await shop.feed(entry('p', ['d', 'x', 'a', 'b'].map(variant)));
    await shop.feed(entry('p', [{ ...variant('d'), deleted: true }]));
    const before = await shop.product();
    const fed = entry('p', ['a', 'b', 'd'].map(variant));
    for (const _ of [1, 2]) {
      await shop.feed(fed);
      expect(await shop.product()).toEqual(before);
    }
    await shop.feed(entry('p', [variant('b'), { ...variant('d'), deleted: true }, variant('a')]));
    expect((await shop.product()).variants.map(({ sourceId }) => sourceId)).toEqual(['x', 'b', 'a']);
  });

  it('is deleted by `deleted: true` without other changes, and restored only by `deleted: false`', async () => {
    const full = await fullEntry();
    await shop.feed(full);
    const before = await shop.product();
    const emptied = { brand: { name: 'Never created' }, tags: [], metaData: null, description: null };
    await shop.feed(entry('full', [], { ...emptied, name: 'x', deleted: true }));
    const unmoved = { updatedAt: expect.any(Number), version: expect.any(Number) };
    expect(await shop.product()).toEqual({ ...before, ...unmoved, deleted: true });
    for (const deleted of [{}, { deleted: null }]) {
      await shop.feed({ ...full, description: 'changed', ...deleted });
      expect(await shop.product()).toMatchObject({ description: 'changed', deleted: true });
    }
    await shop.feed({ ...full, deleted: false });
    expect(await shop.product()).toEqual({ ...before, ...unmoved });
    expect(await shop.list('listProductBrand')).toMatchObject([{ name: 'Acme' }]);
  });
});

type Sent = Record<string, unknown>;
type SentProduct = Sent & { variants: Sent[] };

/** Products whose variants are identified in different ways. */
function catalogue(stockLocationId: string, priceListId: string): SentProduct[] {
  const variant = (name: string, index: number): Sent => ({
    hsCode: `hs ${name}`,
    weight: index,
    barcodeList: [name],
    prices: [
      { sellPrice: index, buyPrice: 1, discountPrice: 0, currencyCode: 'TRY' },
      { sellPrice: index, priceListId },
    ],
    stocks: [{ stockLocationId, stockCount: index + 1 }],
  });
  const keyed = (keyOf: (name: string) => object): Sent[] =>
    ['S', 'M', 'L'].map((name, index) => ({ ...variant(name, index), ...keyOf(name) }));
  const members = {
    brand: { name: 'Acme' },
    tags: [{ name: 'new' }],
    metaData: { pageTitle: 'Title', canonicals: ['https://shop.invalid/a'] },
    description: 'd',
    shortDescription: 's',
    vendor: 'v',
    weight: 2,
    maxQuantityPerCart: 3,
    salesChannels: [],
    categories: [{ name: ['Clothes', 'Shirts'] }],
  };
  const product = (sourceId: string, variants: Sent[]) => entry(sourceId, variants, members) as SentProduct;
  return [
    product('told by nothing', [variant('only', 1)]),
    product(
      'identified by sourceId',
      keyed((sourceId) => ({ sourceId })),
    ),
    product(
      'identified by sku',
      keyed((sku) => ({ sku })),
    ),
    product('told by option value', keyed(size)),
  ].map((sent) => ({ ...sent, ...usedSizes(sent.variants) }));
}

function usedSizes(variants: Sent[]): object {
  const names = variants.flatMap(({ variantValues }) => (variantValues as { variantValueName: string }[]) ?? []);
  return names.length > 0
    ? sizes(...names.map(({ variantValueName }) => variantValueName))
    : { productVariantTypes: [] };
}

const requiredMembers = ['name', 'type', 'variants', 'categories', 'productVariantTypes'];
const keys = ['sourceId', 'sku', 'variantValues'];

/** Generates feeds with some of the products, variants, members and prices. */
function withGaps(products: SentProduct[]): fc.Arbitrary<SentProduct[]> {
  const someMembers = <T extends Sent>(record: T, kept: string[]): fc.Arbitrary<T> =>
    fc
      .subarray(Object.keys(record).filter((member) => !kept.includes(member)))
      .map((left) => Object.fromEntries(Object.entries(record).filter(([member]) => !left.includes(member))) as T);
  const somePrices = (rows: Sent[]): fc.Arbitrary<Sent[]> =>
    fc.subarray(rows).chain((some) => fc.tuple(...some.map((row) => someMembers(row, ['sellPrice', 'priceListId']))));
  const someVariant = (variant: Sent): fc.Arbitrary<Sent> =>
    fc
      .tuple(someMembers(variant, ['prices', ...keys]), somePrices(variant['prices'] as Sent[]))
      .map(([members, prices]) => ({ ...members, prices }));
  const someProduct = (product: SentProduct): fc.Arbitrary<SentProduct> =>
    fc
      .tuple(
        someMembers(product, ['sourceId', ...requiredMembers]),
        fc.subarray(product.variants).chain((some) => fc.tuple(...some.map(someVariant))),
      )
      .map(([members, variants]) => ({ ...members, variants, ...usedSizes(variants) }));
  return fc.subarray(products).chain((some) => fc.tuple(...some.map(someProduct)));
}

describe('the feed of a supplier', () => {
  it(`loses nothing when it is repeated ${REPETITIONS} times with random gaps`, async () => {
    const { id: stockLocationId } = await shop.save('saveStockLocation', { name: 'Store' });
    const { id: priceListId } = await shop.save('savePriceList', { name: 'Europe', currency: 'EUR' });
    const { id: ownListId } = await shop.save('savePriceList', { name: 'Own', currency: 'EUR' });
    const all = catalogue(stockLocationId, priceListId);
    await shop.feed(...all);
    const ownPrices = (await shop.products()).flatMap(({ id: productId, variants }) =>
      variants.map(({ id: variantId }) => ({ productId, variantId, price: { sellPrice: 9 } })),
    );
    await shop.save('saveVariantPrices', { priceListId: ownListId, variantPriceInputs: ownPrices });
    const before = await shop.products();
    await fc.assert(
      fc.asyncProperty(withGaps(all), async (products) => {
        await shop.feed(...products);
        expect(await shop.products()).toEqual(before);
      }),
      { numRuns: REPETITIONS },
    );
    expect(before.flatMap(({ variants }: Read) => variants)).toHaveLength(10);
  });
});
