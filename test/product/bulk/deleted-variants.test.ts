import { beforeEach, describe, expect, it } from 'vitest';
import { entry, feeding, type Feeds, size, sizes } from './feeds.ts';

const feeds = feeding();
let shop: Feeds;
beforeEach(() => {
  shop = feeds();
});

const prices = [{ sellPrice: 5 }];
const expensive = [{ sellPrice: 9 }];
const types = sizes('S', 'M', 'L');
const other = { sku: 'other', ...size('L'), prices };

describe('a deleted variant of a feed', () => {
  it.each<[string, object, object, object]>([
    ['sourceId, if its sku finds another one', { sourceId: 's' }, { sku: 'A' }, { sourceId: 's', sku: 'A' }],
    ['sourceId, if its options find another one', { sourceId: 's' }, size('S'), { sourceId: 's', ...size('S') }],
    ['options, if its sku finds another one', size('S'), { sku: 'A', ...size('M') }, { sku: 'A', ...size('S') }],
  ])('is not found by its %s', async (_name, deleted, live, sent) => {
    await shop.feed(entry('p', [{ ...deleted, prices }, { ...live, prices }, other], types));
    const [, ...others] = (await shop.product()).variants.map(({ id }) => id);
    await shop.feed(entry('p', [{ ...deleted, prices, deleted: true }], types));
    await shop.feed(entry('p', [{ ...sent, prices: expensive }], types));
    expect((await shop.product()).variants).toMatchObject([
      { id: others[0], prices: expensive },
      { id: others[1], prices },
    ]);
  });

  it('is deleted again without a change of another one with its sku', async () => {
    const [a, b] = ['a', 'b'].map((sourceId) => ({ sourceId, sku: 'A', prices }));
    await shop.feed(entry('p', [a!, b!, other], types));
    const deletion = entry('p', [{ ...b!, deleted: true }], types);
    await shop.feed(deletion);
    await shop.feed(deletion);
    expect((await shop.product()).variants).toMatchObject([{ sourceId: 'a' }, { sku: 'other' }]);
    await shop.feed(entry('p', [{ ...b!, deleted: false }], types));
    expect((await shop.product()).variants.map(({ sourceId }) => sourceId)).toEqual(expect.arrayContaining(['a', 'b']));
  });

  it('is not found by a sku that several others have', async () => {
    const [a, b, c] = ['S', 'M', 'L'].map((name) => ({ sku: 'A', ...size(name), prices }));
    await shop.feed(entry('p', [a!, b!, c!], types));
    await shop.feed(entry('p', [{ ...c, deleted: true }], types));
    const { errors } = await shop.send(entry('p', [{ sku: 'A', prices: expensive }]));
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
  });

  it.each([0, 1, 2])(
    'is not restored by a sku or sourceId that several deleted ones have, beside %s others',
    async (count) => {
      const variants = ['S', 'M'].map((name) => ({ sku: name, ...size(name), prices }));
      const others = ['L', 'XL'].slice(0, count).map((name) => ({ sku: name, ...size(name), prices }));
      const all = sizes('S', 'M', 'L', 'XL');
      await shop.feed(entry('p', [...variants, ...others], all));
      const ids = (await shop.product()).variants.slice(0, 2).map(({ id }) => id);
      for (const id of ids) await shop.feed(entry('p', [{ id, sku: 'dup', sourceId: 'dup', prices }], all));
      for (const id of ids) await shop.feed(entry('p', [{ id, prices, deleted: true }], all));
      const before = await shop.product();
      for (const key of [{ sku: 'dup' }, { sourceId: 'dup' }, { sku: 'dup', sourceId: 'dup' }]) {
        const { errors } = await shop.send(entry('p', [{ ...key, prices, deleted: false }], all));
        expect(errors).toMatchObject([{ extensions: { issues: [{ path: ['input', 0, 'variants', 0] }] } }]);
        for (const left of [{ deleted: true }, {}]) await shop.feed(entry('p', [{ ...key, prices, ...left }], all));
      }
      expect(await shop.product()).toEqual(before);
    },
  );

  it.each<[string, object, object, object]>([
    ['sourceId', { sourceId: '1', ...size('S') }, { sourceId: '1' }, { sourceId: '2', ...size('S') }],
    ['options', { sku: 'A', ...size('S') }, size('S'), { sku: 'A', ...size('M') }],
  ])('is found by its %s before a new one of the same entry list', async (_name, stored, deleted, sent) => {
    await shop.feed(entry('p', [{ ...stored, prices }], types));
    const [old] = (await shop.product()).variants;
    await shop.feed(
      entry(
        'p',
        [
          { ...deleted, prices: [], deleted: true },
          { ...sent, prices: expensive },
        ],
        types,
      ),
    );
    const { variants } = await shop.product();
    expect(variants).toMatchObject([{ prices: expensive }]);
    expect(variants[0]!.id).not.toBe(old!.id);
    await shop.feed(
      entry(
        'p',
        [
          { ...deleted, prices: [], deleted: true },
          { ...sent, prices },
        ],
        types,
      ),
    );
    expect((await shop.product()).variants).toMatchObject([{ id: variants[0]!.id, prices }]);
  });

  it('that an entry keeps live is found by its sourceId before a new one with its options', async () => {
    await shop.feed(entry('p', [{ sourceId: '1', ...size('S'), prices }], types));
    const [old] = (await shop.product()).variants;
    const kept = { sourceId: '1', ...size('M'), prices, deleted: false };
    await shop.feed(entry('p', [kept, { sourceId: '2', ...size('S'), prices: expensive }], types));
    expect((await shop.product()).variants).toMatchObject([{ id: old!.id, prices }, { prices: expensive }]);
  });

  it('is that of an entry with its sourceId before one that deletes its options', async () => {
    const red = { sourceId: '1', ...size('S'), prices };
    await shop.feed(entry('p', [red, other], types));
    await shop.feed(entry('p', [{ ...size('S'), prices: [], deleted: true }], types));
    const before = (await shop.product()).variants;
    const again = [
      { ...size('S'), prices: [], deleted: true },
      { sourceId: '1', ...size('M'), prices },
    ];
    await shop.feed(entry('p', again, types));
    expect((await shop.product()).variants).toEqual(before);
  });

  it('may have the options of an entry that takes its place, also when the feed is repeated', async () => {
    await shop.feed(entry('p', [{ sku: 'OLD', ...size('S'), prices }, other], types));
    const replaced = [
      { sku: 'OLD', ...size('S'), prices: [], deleted: true },
      { sku: 'NEW', ...size('S'), prices: expensive },
      other,
    ];
    await shop.feed(entry('p', replaced, types));
    const { variants } = await shop.product();
    expect(variants).toMatchObject([{ sku: 'NEW', prices: expensive }, {}]);
    await shop.feed(entry('p', replaced, types));
    expect((await shop.product()).variants).toEqual(variants);
  });
});

describe('the other members of what an entry deletes', () => {
  const image = { imageUrl: 'https://example.com/a.png', isMain: true, order: 0 };
  const images = [image, { ...image, imageUrl: 'https://example.com/b.png', order: 1 }];

  it('are ignored in a product by rules across members', async () => {
    await shop.feed(entry('p', [{ sku: 'A', prices }]));
    const before = await shop.product();
    const productVariantTypes = [{ order: 1, variantValues: [{ name: 'x' }] }];
    const deletion = entry('p', [{ sku: 'A', prices, images }], { productVariantTypes, deleted: true });
    await shop.feed(deletion);
    expect(await shop.product()).toMatchObject({ deleted: true, variants: before.variants });
    const { errors } = await shop.send({ ...deletion, deleted: false });
    expect(errors).toMatchObject([
      {
        extensions: {
          issues: [
            { path: ['input', 0, 'productVariantTypes', 0, 'variantTypeName'] },
            { path: ['input', 0, 'variants', 0, 'images', 1, 'isMain'] },
          ],
        },
      },
    ]);
  });

  it('of what is not deleted are checked by these rules beside other mistakes too', async () => {
    const wrong = { sku: 'x'.repeat(300), prices: [{ sellPrice: -1 }] };
    const { errors } = await shop.send(
      entry('p', [wrong, { sku: 'B', prices, images }], { categories: [{ name: [] }] }),
    );
    const issues = errors![0]!.extensions['issues'] as { path: unknown[] }[];
    expect(issues.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'input.0.categories.0.name',
      'input.0.variants.0.prices.0.sellPrice',
      'input.0.variants.0.sku',
      'input.0.variants.1.images.1.isMain',
    ]);
  });

  const twice = [{ id: 'x' }, { id: 'x' }];
  it.each([
    { name: ' ' },
    { salesChannels: twice },
    {
      productVariantTypes: ['S', 'M'].map((name) => ({ order: 0, variantTypeName: 'Size', variantValues: [{ name }] })),
    },
    { variants: ['A', 'B'].map((sku) => ({ sku, sourceId: 's', prices })) },
    { variants: [{ sku: 'A', prices: [{ sellPrice: -1 }] }] },
  ])('are ignored in a product, also if they are not valid: %j', async (members) => {
    await shop.feed(entry('p', [{ sku: 'A', prices }]));
    const before = await shop.product();
    const deletion = { ...entry('p', [{ sku: 'A', prices }]), ...members, deleted: true };
    await shop.feed(deletion);
    expect(await shop.product()).toMatchObject({ deleted: true, name: before.name, variants: before.variants });
    expect((await shop.send({ ...deletion, deleted: false })).errors).toHaveLength(1);
  });

  const stock = { stockLocationId: 'x', stockCount: 1 };
  it.each([{ images }, { stocks: [stock, stock] }, { prices: [{ sellPrice: -1 }] }])(
    'are ignored in a variant, also if they are not valid: %j',
    async (members) => {
      const variants = ['A', 'B'].map((sku) => ({ sku, prices }));
      await shop.feed(entry('p', variants));
      const sent = { sku: 'A', prices, ...members };
      await shop.feed(entry('p', [{ ...sent, deleted: true }]));
      expect((await shop.product()).variants).toMatchObject([{ sku: 'B' }]);
      expect((await shop.send(entry('p', [{ ...sent, deleted: false }]))).errors).toHaveLength(1);
    },
  );
});
