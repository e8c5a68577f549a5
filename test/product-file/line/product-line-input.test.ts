import { describe, expect, it } from 'vitest';
import { productLine } from '../../../src/product-file/line/product-line-input.ts';
import { productInput, variantInput } from '../../../src/product/generated/product-input.ts';

const variant = { prices: [{ sellPrice: 1 }] };
const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', variants: [variant] };
const bundle = { maxBundleQuantity: null, minBundleQuantity: null, products: [] };
const discounted = { id: '1', product: 'tee', variants: [], quantity: 1, order: 0, discontRatio: 3 };

/** Members of the inputs that a line has under other names, or not at all. */
const OTHERS = {
  product: ['id', 'version', 'deleted', 'brandId', 'categoryIds', 'tagIds', 'metaData'].concat([
    'groupVariantsByVariantTypeId',
    'dynamicPriceListIds',
    'salesChannelIds',
    'hiddenSalesChannelIds',
  ]),
  variant: ['id', 'deleted', 'variantValueIds', 'bundleSettings'],
};

describe('a line of a product file', () => {
  it('has every other member of ProductInput and VariantInput by its name', () => {
    const [product, ofVariant] = [productLine.shape, productLine.shape.variants.element.shape];
    const missing = (input: object, shape: object) => Object.keys(input).filter((name) => !(name in shape));
    expect(missing(productInput.shape, product).sort()).toEqual(OTHERS.product.sort());
    expect(missing(variantInput.shape, ofVariant).sort()).toEqual(OTHERS.variant.sort());
  });

  it('has names and numbers as they are stored, so that they can be compared', () => {
    const sent = { ...line, name: ' Cafe\u0301 ', weight: 0.1 + 0.2, maxQuantityPerCart: 1.1 + 2.2 };
    expect(productLine.parse(sent)).toMatchObject({ name: 'Caf\u00e9', weight: 0.3, maxQuantityPerCart: 3.3 });
  });

  it.each<[string, object]>([
    ['translations.0', { translations: [{ locale: 'de', nmae: 'Hemd' }] }],
    ['metadataTranslations.0', { metadataTranslations: [{ locale: 'de', pageTitel: 'Hemd' }] }],
    ['metadataOverrides.0', { metadataOverrides: [{ pageTitle: 'a', description: 'b', langauge: 'de' }] }],
    ['baseUnit', { baseUnit: { type: 'GRAM', baseAmount: 1, unitid: 'g' } }],
    ['variants.0.unit', { variants: [{ ...variant, unit: { type: 'GRAM', amont: 1 } }] }],
    ['salesChannelSettings.0', { salesChannelSettings: [{ salesChannel: 'a', status: 'HIDDEN', maxQuantty: 1 }] }],
    ['brand.translations.0', { brand: { name: 'Acme', translations: [{ locale: 'de', nmae: 'Acme' }] } }],
    [
      'categoryTexts.0.translations.0',
      { categoryTexts: [{ name: ['A'], translations: [{ locale: 'de', nmae: 'A' }] }] },
    ],
    ['variants.0.bundle', { variants: [{ ...variant, bundle: { ...bundle, maxQuantity: 1 } }] }],
    ['variants.0.bundle.products.0', { variants: [{ ...variant, bundle: { ...bundle, products: [discounted] } }] }],
  ])('must not have a misspelt member in %s', (path, members) => {
    const { error } = productLine.safeParse({ ...line, ...members });
    expect(error?.issues.map((issue) => [issue.code, issue.path.join('.')])).toEqual([['unrecognized_keys', path]]);
  });

  it('has numbers in objects as they are stored', () => {
    const sent = { ...line, baseUnit: { type: 'GRAM', baseAmount: 0.1 + 0.2 } };
    expect(productLine.parse(sent).baseUnit).toEqual({ type: 'GRAM', baseAmount: 0.3 });
  });

  it('says the status of each sales channel, so that it can be compared', () => {
    const { error } = productLine.safeParse({ ...line, salesChannelSettings: [{ salesChannel: 'Web' }] });
    expect(error!.issues.map(({ path }) => path.join('.'))).toEqual(['salesChannelSettings.0.status']);
  });

  it('may break limits, which are checked when it is written, but must have the right types', () => {
    expect(productLine.safeParse({ ...line, name: 'x'.repeat(300), weight: -1 }).success).toBe(true);
    const { error } = productLine.safeParse({ ...line, variants: [{ ...variant, hsCode: 1 }] });
    expect(error!.issues.map(({ path }) => path.join('.'))).toEqual(['variants.0.hsCode']);
  });
});
