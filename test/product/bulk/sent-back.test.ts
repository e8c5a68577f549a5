import { beforeEach, expect, it } from 'vitest';
import { entry, feeding, type Feeds, type Read, size, sizes } from './feeds.ts';

const feeds = feeding();
let shop: Feeds;
beforeEach(() => {
  shop = feeds();
});

const variants = [{ prices: [{ sellPrice: 5 }] }];

/** Sends the product of a feed with these members, and returns it. */
async function fed(members: object): Promise<Read> {
  await shop.feed(entry('shirt', variants, members));
  return await shop.product();
}

it('metadata may be sent back as it was read, and then does not change', async () => {
  const before = await fed({
    metaData: {
      slug: 'shirt',
      pageTitle: 'Shirt',
      metadataOverrides: [{ language: 'de', pageTitle: 'Hemd', description: 'Ein Hemd' }],
      translations: [{ locale: 'de', slug: 'hemd' }],
    },
  });
  expect(await fed({ metaData: before['metaData'] })).toEqual(before);
});

it('the target of metadata is ignored, also in the form of other clients', async () => {
  const { metaData } = await fed({ metaData: { id: 'm', slug: 'shirt', target: 'brand', targetType: 'Brand' } });
  expect(metaData).toMatchObject({ slug: 'shirt', targetType: 'PRODUCT' });
});

it('metadata is deleted by `deleted: true`, and restored only by `deleted: false`', async () => {
  const deletedAfter = async (metaData: object) => (await fed({ metaData }))['metaData'] as { deleted: boolean };
  expect(await deletedAfter({ slug: 'shirt', deleted: true })).toMatchObject({ deleted: true });
  expect(await deletedAfter({ pageTitle: 'Shirt' })).toMatchObject({ deleted: true });
  expect(await deletedAfter({ deleted: false })).toMatchObject({ deleted: false });
});

it.each([{}, { status: null }])('a sales channel with %o is visible, and then keeps its status', async (without) => {
  const { id } = await shop.save('saveSalesChannel', { name: 'Web', type: 'STOREFRONT' });
  const channelAfter = async (settings: object) =>
    (await fed({ salesChannels: [{ id, ...settings }] }))['salesChannels'];
  expect(await channelAfter({ ...without, maxQuantityPerCart: 2 })).toMatchObject([
    { id, status: 'VISIBLE', maxQuantityPerCart: 2 },
  ]);
  await channelAfter({ status: 'HIDDEN' });
  expect(await channelAfter({ ...without, maxQuantityPerCart: 3 })).toMatchObject([
    { id, status: 'HIDDEN', maxQuantityPerCart: 3 },
  ]);
});

it.each([{}, { variantTypeName: null }])('variant types with %o and without values are left out', async (without) => {
  const sized = ['S', 'M'].map((name) => ({ ...variants[0], sku: name, ...size(name) }));
  await shop.feed(entry('shirt', sized, sizes('S', 'M')));
  const before = await shop.product();
  const nameless = { order: 1, ...without, variantValues: [] };
  await shop.feed(entry('shirt', sized, { productVariantTypes: [nameless, nameless] }));
  expect(await shop.product()).toEqual(before);
});

it('a variant type with values and without a name is refused, also after one that is left out', async () => {
  const productVariantTypes = [{ variantValues: [] }, { variantValues: [{ name: 'S' }] }].map((type) => ({
    order: 1,
    ...type,
  }));
  const { errors } = await shop.send(entry('shirt', variants, { productVariantTypes }));
  const path = ['input', 0, 'productVariantTypes', 1, 'variantTypeName'];
  expect(errors).toMatchObject([{ extensions: { issues: [{ path, message: 'must name the type of the values' }] } }]);
});
