import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/sql/id.ts';
import { entry, feeding, type Feeds, size, sizes } from './feeds.ts';

const feeds = feeding();
let shop: Feeds;
beforeEach(() => {
  shop = feeds();
});

const prices = [{ sellPrice: 5 }];
const ids = async () => (await shop.product()).variants.map(({ id }) => id);
const skus = async () => (await shop.product()).variants.map(({ sku }) => sku);
const invalid = (...path: unknown[]) => [
  { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 0, ...path] }] } },
];

describe('a variant of a feed', () => {
  it('keeps its stock and the prices of price lists when the feed is repeated', async () => {
    const { id: location } = await shop.save('saveStockLocation', { name: 'Store' });
    const { id: list } = await shop.save('savePriceList', { name: 'Europe', currency: 'EUR' });
    const shirt = entry('shirt', [{ prices }]);
    await shop.feed(shirt);
    const { id, variants } = await shop.product();
    const own = { productId: id, variantId: variants[0]!.id };
    const stock = { ...own, stockLocationId: location, stockCount: 40 };
    await shop.save('saveProductStockLocations', { productStockLocationInputs: [stock] });
    const price = { ...own, price: { sellPrice: 7 } };
    await shop.save('saveVariantPrices', { priceListId: list, variantPriceInputs: [price] });
    const before = await shop.product();
    expect(before).toMatchObject({ totalStock: 40, variants: [{ prices: [{ sellPrice: 5 }, { sellPrice: 7 }] }] });
    await shop.feed(shirt);
    expect(await shop.product()).toEqual(before);
  });

  it.each<[string, object, (id: string) => object]>([
    ['its id', { sku: 'A' }, (id) => ({ id })],
    ['its id before its sourceId', { sourceId: 'old' }, (id) => ({ id, sourceId: 'new' })],
    ['its sourceId', { sourceId: 's' }, () => ({ sourceId: 's', sku: 'changed' })],
    ['its option values', size('S'), () => ({ ...size('S'), sku: 'changed' })],
    ['its sku', { sku: 'A' }, () => ({ sku: 'A', hsCode: 'changed' })],
    ['its sku when its option values change', { sku: 'A', ...size('S') }, () => ({ sku: 'A', ...size('Small') })],
  ])('is found among others by %s', async (_name, first, again) => {
    const other = { sourceId: 'other', sku: 'other', ...size('L'), prices };
    await shop.feed(entry('p', [{ ...first, prices }, other], sizes('S', 'L')));
    const [id, otherId] = await ids();
    await shop.feed(entry('p', [{ ...again(id!), prices: [{ sellPrice: 6 }] }, other], sizes('S', 'L', 'Small')));
    const { variants } = await shop.product();
    expect(variants).toMatchObject([
      { id, prices: [{ sellPrice: 6 }] },
      { id: otherId, prices },
    ]);
  });

  it('is found if it is the only one, also with another sku', async () => {
    await shop.feed(entry('p', [{ sku: 'A', prices }]));
    const before = await ids();
    await shop.feed(entry('p', [{ sku: 'B', prices }]));
    expect([await ids(), await skus()]).toEqual([before, ['B']]);
    await shop.feed(entry('p', [{ ...size('S'), sourceId: 's', prices }], sizes('S')));
    expect([await ids(), await skus()]).toEqual([before, ['B']]);
  });

  it('is not the only remaining one if the sku is that of a deleted one', async () => {
    const [a, b] = ['A', 'B'].map((sku) => ({ sku, prices }));
    await shop.feed(entry('p', [a!, b!]));
    await shop.feed(entry('p', [{ ...b, deleted: true }]));
    const before = await shop.product();
    for (const more of [{}, { deleted: true }]) await shop.feed(entry('p', [{ ...b, ...more, prices }]));
    expect((await shop.product()).variants).toEqual(before.variants);
  });

  it.each<[string, object, object]>([
    ['sourceId', { sourceId: 's' }, { sourceId: 'm' }],
    ['option value', size('S'), size('M')],
  ])('is a new one, although the product has only one, if its %s differs', async (_name, first, second) => {
    await shop.feed(entry('p', [{ ...first, prices }], sizes('S')));
    const before = await ids();
    await shop.feed(entry('p', [{ ...second, prices }], sizes('M')));
    expect(await ids()).toEqual([...before, expect.any(String)]);
  });

  it('is new with a sku, sourceId or option value that the product does not have', async () => {
    await shop.feed(
      entry('p', [
        { sku: 'A', prices },
        { sku: 'B', prices },
      ]),
    );
    const before = await ids();
    await shop.feed(
      entry(
        'p',
        [
          { sku: 'C', prices },
          { sourceId: 'd', prices },
          { ...size('S'), prices },
        ],
        sizes('S'),
      ),
    );
    expect((await ids()).slice(0, 2)).toEqual(before);
    expect(await ids()).toHaveLength(5);
  });

  it('is refused if the product has several variants and the entry identifies none', async () => {
    const variants = [
      { sku: 'A', prices },
      { sku: 'A', prices },
      { sku: 'B', prices },
    ];
    await shop.feed(entry('p', variants));
    const before = await shop.product();
    for (const unclear of [
      { prices },
      { sku: 'A', prices },
      { prices, deleted: true },
      { variantValues: [], prices },
    ]) {
      const { errors } = await shop.send(entry('p', [{ sku: 'B', prices: [{ sellPrice: 9 }] }, unclear]));
      expect(errors).toMatchObject(invalid('variants', 1));
    }
    const { errors } = await shop.send(
      entry('p', [
        { sku: 'B', prices },
        { sku: 'B', prices },
      ]),
    );
    expect(errors).toMatchObject(invalid('variants', 0));
    expect(await shop.product()).toEqual(before);
  });

  it('is refused if several variants have its sourceId and it tells nothing else', async () => {
    const variants = ['S', 'M'].map((name) => ({ ...size(name), sku: name, prices }));
    await shop.feed(entry('p', variants, sizes('S', 'M')));
    const { id } = await shop.product();
    const shared = (await ids()).map((id) => ({ id, sourceId: 's', prices }));
    await shop.save('saveProduct', { id, name: 'p', type: 'PHYSICAL', variants: shared });
    const before = await shop.product();
    for (const unclear of [
      { sourceId: 's', prices },
      { sourceId: 's', variantValues: [], prices },
      { sourceId: 's', deleted: true, prices: [] },
    ]) {
      const { errors } = await shop.send(entry('p', [unclear], sizes('S', 'M')));
      expect(errors).toMatchObject(invalid('variants', 0));
    }
    for (const variant of [variants[0], { sku: 'M', prices }])
      await shop.feed(entry('p', [{ ...variant, sourceId: 's' }], sizes('S', 'M')));
    expect(await shop.product()).toEqual(before);
  });

  it('is refused if another entry names it too, or if it belongs to another product', async () => {
    await shop.feed(entry('p', [{ sourceId: 's', sku: 'A', prices }]));
    const [id] = await ids();
    const twice = await shop.send(
      entry('p', [
        { id, prices },
        { sourceId: 's', prices },
      ]),
    );
    expect(twice.errors).toMatchObject(invalid('variants', 1));
    const unknown = await shop.send(entry('p', [{ id: newId(), sku: 'A', prices }]));
    expect(unknown.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', type: 'Variant' } }]);
  });
});

describe('variants that a feed does not name', () => {
  it('are kept in their order, with the values that they use', async () => {
    const all = ['S', 'M', 'L', 'XL'].map((name) => ({ ...size(name), sku: name, prices }));
    await shop.feed(entry('p', all, sizes('S', 'M', 'L', 'XL')));
    const before = await shop.product();
    await shop.feed(entry('p', [all[2]!, { ...size('XS'), sku: 'XS', prices }, all[0]!], sizes('S', 'L', 'XS')));
    expect(await skus()).toEqual(['L', 'M', 'XS', 'S', 'XL']);
    const after = await shop.product();
    const [s, m, l, xl] = before.productVariantTypes[0]!.variantValueIds;
    expect(after.productVariantTypes).toMatchObject([{ variantValueIds: [s, m, l, xl, expect.any(String)] }]);
    await shop.feed(entry('p', []));
    expect(await shop.product()).toEqual(after);
  });

  it('are deleted only by `deleted: true`, and restored only by `deleted: false`', async () => {
    const [a, b] = ['A', 'B'].map((sku) => ({ sku, prices, barcodeList: [sku], ...size(sku) }));
    const types = sizes('A', 'B');
    await shop.feed(entry('p', [a!, b!], types));
    const [, before] = (await shop.product()).variants;
    await shop.feed(entry('p', [{ sku: 'B', prices: [{ sellPrice: 9 }], barcodeList: [], deleted: true }], types));
    expect(await skus()).toEqual(['A']);
    for (const repeated of [b!, { ...b, deleted: null }]) {
      await shop.feed(entry('p', [a!, repeated], types));
      await shop.feed(entry('p', [repeated], types));
      expect(await skus()).toEqual(['A']);
    }
    await shop.feed(entry('p', [{ sku: 'B', prices: [], deleted: false }], types));
    const [, restored] = (await shop.product()).variants;
    expect(restored).toEqual({ ...before, updatedAt: expect.any(Number) });
  });

  it('are not created if the entry deletes them', async () => {
    await shop.feed(entry('p', [{ sku: 'A', prices }]));
    const before = await shop.product();
    await shop.feed(
      entry('p', [
        { sku: 'B', prices, deleted: true },
        { sourceId: 'c', prices: [], deleted: true },
      ]),
    );
    expect(await shop.product()).toEqual(before);
  });
});
