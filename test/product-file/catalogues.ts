import fc, { type Arbitrary } from 'fast-check';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';

const id = { id: {} };

/** Creates price lists, sales channels and stock locations. Files refer to them by name; an import creates none. */
export async function settings(ctx: Context) {
  const priceLists: string[] = [];
  for (const name of ['Wholesale', 'Europe / B2B'])
    priceLists.push((await savePriceList(ctx, { input: { name, currency: 'EUR' } }, id)).id);
  const channels: string[] = [];
  for (const name of ['Web', 'Shop, "North"'])
    channels.push((await saveSalesChannel(ctx, { input: { name, type: 'STOREFRONT' } }, id)).id);
  const main = await saveStockLocation(ctx, { input: { name: 'Main' } }, id);
  const store = await saveStockLocation(ctx, { input: { name: 'Store' } }, id);
  return { priceLists, channels, locations: [main.id, store.id] };
}

type Settings = Awaited<ReturnType<typeof settings>>;

const texts = {
  description: '=SUM(1)\n"quoted"; ünï',
  translations: [{ locale: 'de', name: 'Übersetzt', description: null }],
};

async function references(ctx: Context) {
  const brand = await saveProductBrand(ctx, { input: { name: '\'Brand, "A"', ...texts } as never }, id);
  const root = await saveCategory(ctx, { input: { name: 'Root > 1', ...texts } as never }, id);
  const leaf = await saveCategory(ctx, { input: { name: '[Leaf]', parentId: root.id } as never }, id);
  const tags = [
    await saveProductTag(ctx, { input: { name: 'a, b' } }, id),
    await saveProductTag(ctx, { input: { name: '-1+2' } }, id),
  ];
  const types = [];
  for (const [name, selectionType, colorCode] of [
    ['Size', 'choice', null],
    ['@Colour', 'color', '#ff0000'],
  ] as const)
    types.push(
      await saveVariantType(
        ctx,
        { input: { name, selectionType, values: ['1', 'two / 2', '=3'].map((value) => ({ name: value, colorCode })) } },
        { id: {}, values: id },
      ),
    );
  const choice = await saveProductAttribute(
    ctx,
    { input: { name: 'Material', type: 'CHOICE', options: [{ name: 'Cotton, raw' }, { name: 'Wool' }] } },
    { id: {}, options: id },
  );
  const free = await saveProductAttribute(ctx, { input: { name: 'Note; care', type: 'TEXT' } }, id);
  return { brand, categories: [root.id, leaf.id], tags: tags.map((tag) => tag.id), types, choice, free };
}

/** Texts that files have to quote, escape or mark. Not blank, because an empty cell means null. */
const text = fc
  .string({
    unit: fc.constantFrom(
      'a',
      'Ü',
      '🛍',
      ' ',
      ',',
      ';',
      '"',
      "'",
      '\n',
      '\t',
      '=',
      '-',
      '+',
      '@',
      '[',
      '{',
      '>',
      '/',
      '1',
    ),
  })
  .filter((value) => value.trim() !== '');
const name = text.map((value) => `N${value.replace(/\s/g, ' ')}N`);
const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((value) => value / 10_000);
const some = <Value>(value: Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Saves random products with values in all members, and bundles. */
export async function createCatalogue(ctx: Context, known: Settings, seed: number): Promise<void> {
  const refs = await references(ctx);
  const [products] = fc.sample(fc.array(productArbitrary(refs, known), { minLength: 2, maxLength: 4 }), {
    seed,
    numRuns: 1,
  });
  const saved: { id: string; variants: { id: string }[] }[] = [];
  for (const product of products!) {
    const bundled = saved.at(-1);
    const input = bundled && product.isBundle ? withBundle(product.input, bundled) : product.input;
    saved.push((await saveProduct(ctx, { input: input as never }, { id: {}, variants: id })) as never);
  }
  const inputs = saved.flatMap(({ id: productId, variants }, index) =>
    variants.map(({ id: variantId }) => ({
      productId,
      variantId,
      stockLocationId: known.locations[index % 2]!,
      stockCount: index - 1.5,
    })),
  );
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: inputs } });
}

function withBundle(
  input: { variants: object[] },
  { id: productId, variants }: { id: string; variants: { id: string }[] },
) {
  const settings = {
    quantity: 2,
    order: 1.5,
    addToBundleBasePrice: true,
    discountRatio: 12.5,
    minQuantity: 1,
    maxQuantity: null,
  };
  const products = [
    { id: 'k', productId, filteredVariantIds: variants.slice(0, 1).map((variant) => variant.id), ...settings },
  ];
  const [first, ...others] = input.variants;
  return {
    ...input,
    type: 'BUNDLE',
    variants: [{ ...first, bundleSettings: { maxBundleQuantity: 5, products } }, ...others],
  };
}

function productArbitrary(refs: Awaited<ReturnType<typeof references>>, { priceLists, channels }: Settings) {
  const attribute = fc.oneof(
    fc.constant({ productAttributeId: refs.choice.id, productAttributeOptionId: refs.choice.options![1]!.id }),
    text.map((value) => ({ productAttributeId: refs.free.id, value })),
  );
  const attributes = some(fc.array(attribute, { maxLength: 2 }));
  const variant = fc.record({
    sku: some(text.map((value) => `S${value.trim()}`)),
    barcodeList: some(fc.array(fc.constantFrom('4006381333931', '4.00638E+12', '[1]', '=1'))),
    isActive: fc.boolean(),
    prices: fc
      .record({ base: amount, list: some(amount), discount: some(amount), buy: some(amount) })
      .map((price) => [
        { sellPrice: price.base, buyPrice: price.buy, discountPrice: price.discount },
        ...(price.list === undefined ? [] : [{ sellPrice: price.list, currency: 'USD', priceListId: priceLists[1] }]),
      ]),
    sellIfOutOfStock: some(fc.boolean()),
    weight: some(amount),
    unit: some(fc.constant({ amount: 2.5, type: 'KILOGRAM' })),
    hsCode: some(text),
    fileId: some(text),
    subscriptionPlanId: some(text),
    attributes,
    images: some(fc.constant([{ imageId: newId(), isMain: true, order: 1 }])),
  });
  const variants = fc.array(variant, { minLength: 1, maxLength: 3 }).map((list) =>
    list.map((entry, index) => ({
      ...entry,
      variantValueIds: refs.types.map(({ id: variantTypeId, values }) => ({
        variantTypeId,
        variantValueId: values[index]!.id,
      })),
    })),
  );
  const input = fc.record({
    name,
    type: fc.constantFrom('PHYSICAL', 'DIGITAL', 'MEMBERSHIP', 'SUBSCRIPTION'),
    sourceId: some(fc.uuid()),
    variants,
    productVariantTypes: fc.constant(
      refs.types.map(({ id: variantTypeId, values }, order) => ({
        variantTypeId,
        order,
        variantValueIds: values.map((value) => value.id),
      })),
    ),
    brandId: some(fc.constant(refs.brand.id)),
    categoryIds: some(fc.subarray(refs.categories)),
    tagIds: some(fc.subarray(refs.tags)),
    description: some(text),
    shortDescription: some(text),
    googleTaxonomyId: some(fc.constant('212')),
    vendorId: some(name),
    weight: some(amount),
    maxQuantityPerCart: some(amount),
    attributes,
    baseUnit: some(fc.constant({ type: 'GRAM', baseAmount: 100, unitId: 'u' })),
    translations: some(text.map((value) => [{ locale: 'tr', name: value }])),
    releaseDate: some(fc.integer({ min: 0, max: 2_000_000_000_000 })),
    productOptionSetId: some(text),
    productVolumeDiscountId: some(fc.constantFrom('true', '1', '"x"')),
    subscriptionPlanId: some(text),
    dynamicPriceListIds: some(fc.subarray(priceLists)),
    salesChannelIds: some(fc.subarray(channels)),
    hiddenSalesChannelIds: some(fc.subarray(channels)),
    salesChannels: some(fc.constant([{ id: channels[1]!, status: 'PASSIVE', quantitySettings: [1, 2.5] }])),
    groupVariantsByVariantTypeId: some(fc.constant(refs.types[0]!.id)),
    metaData: some(
      fc.record({
        slug: fc.uuid(),
        pageTitle: some(text),
        description: some(text),
        canonicals: some(fc.constant(['https://x.example/a,b'])),
        disableIndex: some(fc.boolean()),
        redirectTo: some(fc.constant('/x')),
        metadataOverrides: some(fc.constant([{ language: 'de', pageTitle: 'T', description: 'D' }])),
        translations: some(fc.constant([{ locale: 'de', slug: 'x', pageTitle: null }])),
      }),
    ),
  });
  return fc.record({ input, isBundle: fc.boolean() });
}
