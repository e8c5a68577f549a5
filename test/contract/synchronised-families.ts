import fc, { type Arbitrary } from 'fast-check';
import type { Shop } from './calls.ts';

export type SyncedRecord = { id: string; updatedAt: number; version?: number; deleted: boolean } & {
  [member: string]: unknown;
};

type Members = { [member: string]: Arbitrary<unknown> };

/** A type of records of which clients keep copies. */
export type Family = {
  list: string;
  save: string;
  remove: string;
  /** Members of every save. */
  required: (record?: SyncedRecord) => Members;
  /** Members of some saves. */
  optional: (record?: SyncedRecord) => Members;
};

const orNull = <T>(value: Arbitrary<T>): Arbitrary<T | null> => fc.option(value, { freq: 3 });
const list = <T>(...values: T[]): Arbitrary<T[]> => fc.subarray(values);
const texts = orNull(fc.constantFrom('a', 'b'));
const names = (...all: string[]) => fc.constantFrom(...all);
const translations = (members: Members) =>
  orNull(
    fc.uniqueArray(fc.record({ locale: names('de', 'tr'), ...members }, { requiredKeys: ['locale'] }), {
      selector: ({ locale }) => locale,
      maxLength: 2,
    }),
  );
const nameAndDescription = { name: texts, description: texts };

/** Never null, which has different effects on different members. */
const metaData = fc.record(
  {
    slug: names('page', 'page-2', 'other'),
    pageTitle: texts,
    description: texts,
    canonicals: orNull(list('https://a.example/', 'https://b.example/')),
    disableIndex: orNull(fc.boolean()),
    translations: translations({ slug: texts, pageTitle: texts }),
    metadataOverrides: orNull(fc.constantFrom([], [{ pageTitle: 'a', description: 'b' }])),
  },
  { requiredKeys: ['slug'] },
);

type Option = { id: string; name: string };

/** Some of the stored options in any order, one of them renamed, and some new ones. */
function options(stored: readonly Option[], minLength: number): Arbitrary<unknown[]> {
  const kept = stored.map(({ id, name }) => ({ id, name }));
  const renamed = stored.map(({ id }) => ({ id, name: 'Renamed' }));
  const added = [{ name: 'S' }, { name: 'M', colorCode: '#ffffff' }, { name: 'L', thumbnailImageId: 'x' }];
  return fc.uniqueArray(fc.constantFrom(...kept, ...kept, ...renamed, ...added), {
    comparator: (a, b) => a.name === b.name || ('id' in a && 'id' in b && a.id === b.id),
    minLength,
    maxLength: 4,
  });
}

const optionTranslations = (member: string, stored: readonly Option[]) => ({
  name: texts,
  [member]: orNull(
    stored.length === 0
      ? fc.constant([])
      : fc.constantFrom([], [{ id: stored[0]!.id }], [{ id: stored[0]!.id, name: 'a' }]),
  ),
});

export function families(own: Shop): { [type: string]: Family } {
  return {
    brand: {
      list: 'listProductBrand',
      save: 'saveProductBrand',
      remove: 'deleteProductBrandList',
      required: () => ({ name: names('Ada', 'Bell', 'Curie', 'Dirac') }),
      optional: () => ({
        description: texts,
        imageId: texts,
        orderType: orNull(names('NEWEST', 'OLDEST')),
        salesChannelIds: orNull(list(own.salesChannel)),
        translations: translations(nameAndDescription),
        metaData,
      }),
    },
    category: {
      list: 'listCategory',
      save: 'saveCategory',
      remove: 'deleteCategoryList',
      required: () => ({ name: names('Hats', 'Shoes') }),
      optional: (record) => ({
        parentId: orNull(names(own.category, own.parentCategory)),
        description: texts,
        // Not automated: products are saved into the categories of the shop, and automated ones do not show such
        // products.
        isAutomated: record && Object.values(own).includes(record.id) ? fc.constant(false) : orNull(fc.boolean()),
        conditions: orNull(fc.constantFrom([], [{ conditionType: 'PRODUCT_TAG', valueList: [own.tag] }])),
        salesChannelIds: orNull(list(own.salesChannel)),
        salesChannels: orNull(fc.constantFrom([], [{ id: own.salesChannel, status: 'HIDDEN' }])),
        translations: translations(nameAndDescription),
        metaData,
      }),
    },
    tag: {
      list: 'listProductTag',
      save: 'saveProductTag',
      remove: 'deleteProductTagList',
      required: () => ({ name: names('new', 'sale', 'old') }),
      optional: () => ({ translations: translations({ name: texts }) }),
    },
    variantType: {
      list: 'listVariantType',
      save: 'saveVariantType',
      remove: 'deleteVariantTypeList',
      required: (record) => ({
        name: names('Size', 'Colour', 'Length'),
        selectionType: names('choice', 'color'),
        values: options((record?.['values'] ?? []) as Option[], 1),
      }),
      optional: (record) => ({
        translations: translations(optionTranslations('values', (record?.['values'] ?? []) as Option[])),
      }),
    },
    attribute: {
      list: 'listProductAttribute',
      save: 'saveProductAttribute',
      remove: 'deleteProductAttributeList',
      required: () => ({ name: names('Cloth', 'Origin'), type: names('CHOICE', 'TABLE') }),
      optional: (record) => ({
        description: texts,
        options: orNull(options((record?.['options'] ?? []) as Option[], 0)),
        tableTemplate: orNull(fc.constant({ columns: [{ id: 'c', name: 'C' }], rows: [] })),
        translations: translations(optionTranslations('options', (record?.['options'] ?? []) as Option[])),
      }),
    },
    salesChannel: {
      list: 'listSalesChannel',
      save: 'saveSalesChannel',
      remove: 'deleteSalesChannelList',
      required: () => ({ name: names('Shop', 'Till'), type: names('POS', 'STOREFRONT') }),
      optional: () => ({
        priceListId: orNull(names(own.priceList)),
        stockLocations: orNull(fc.constantFrom([], [{ id: own.stockLocation, order: 1 }])),
        paymentGateways: orNull(fc.constantFrom([], [{ id: 'a', order: 1 }])),
      }),
    },
    priceList: {
      list: 'listPriceList',
      save: 'savePriceList',
      remove: 'deletePriceListList',
      required: () => ({ name: names('Retail', 'Trade'), currency: names('EUR', 'TRY') }),
      optional: () => ({
        currencySymbol: texts,
        type: orNull(names('MANUAL')),
        addProductsAutomatically: orNull(fc.boolean()),
        ruleList: orNull(
          fc.constantFrom(
            [],
            [{ currencySettings: {}, rules: [] }],
            [{ currencySettings: { roundingFormat: null }, rules: [], basePriceListId: own.basePriceList }],
          ),
        ),
      }),
    },
    stockLocation: {
      list: 'listStockLocation',
      save: 'saveStockLocation',
      remove: 'deleteStockLocationList',
      required: () => ({ name: names('North', 'South') }),
      optional: () => ({
        type: orNull(names('PHYSICAL', 'VIRTUAL')),
        address: orNull(fc.constantFrom({}, { address: 'a', city: { name: 'b' } }, { address: 'a', city: {} })),
        outOfStockMailList: orNull(list('a@b.example')),
        translations: translations({ description: texts }),
      }),
    },
    customer: {
      list: 'listCustomer',
      save: 'saveCustomer',
      remove: 'deleteCustomerList',
      required: () => ({ firstName: names('Ada', 'Bell') }),
      optional: (record) => ({
        lastName: texts,
        isEmailVerified: orNull(fc.boolean()),
        birthDate: orNull(fc.constantFrom(0, -62_135_596_800_000, 1_700_000_000_123)),
        tagIds: orNull(list('a', 'b')),
        attributes: orNull(fc.constantFrom([], [{ value: 'a' }])),
        addresses: orNull(
          fc.constantFrom([], addresses(record, {}), addresses(record, { company: 'a', district: {} })),
        ),
        priceListRules: orNull(
          fc.constantFrom([], [{ value: 1, valueType: 'FIXED_PRICE', filters: [{ type: 'PRODUCT', valueList: [] }] }]),
        ),
      }),
    },
    product: {
      list: 'listProduct',
      save: 'saveProduct',
      remove: 'deleteProductList',
      required: (record) => ({
        name: names('Shirt', 'Sock'),
        type: names('PHYSICAL', 'DIGITAL'),
        variants: variantsOf(record, own),
      }),
      optional: () => ({
        brandId: orNull(names(own.brand)),
        categoryIds: orNull(list(own.category, own.parentCategory)),
        tagIds: orNull(list(own.tag)),
        description: texts,
        weight: orNull(fc.constantFrom(0.1, 2)),
        releaseDate: orNull(fc.constantFrom(0, -62_135_596_800_000, 1_700_000_000_123)),
        baseUnit: orNull(fc.constant({ type: 'GRAM', baseAmount: 1 })),
        salesChannels: orNull(fc.constantFrom([], [{ id: own.salesChannel, status: 'HIDDEN' }])),
        productVariantTypes: orNull(
          fc.constantFrom([], [{ order: 1, variantTypeId: own.variantType, variantValueIds: [own.variantValue] }]),
        ),
        attributes: orNull(fc.constantFrom([], [{ productAttributeId: own.attribute, value: 'a' }])),
        translations: translations(nameAndDescription),
        metaData,
      }),
    },
  };
}

function addresses(record: SyncedRecord | undefined, members: object): unknown[] {
  const [stored] = (record?.['addresses'] ?? []) as { id: string }[];
  const place = { name: 'a' };
  const address = { title: 'a', firstName: 'b', lastName: 'c', addressLine1: 'd', city: place, country: place };
  return [{ ...address, ...members, ...(stored && { id: stored.id }) }];
}

/** Each stored variant unchanged, with other members, or left out, and sometimes a new one. */
function variantsOf(record: SyncedRecord | undefined, own: Shop): Arbitrary<unknown[]> {
  const stored = (record?.['variants'] ?? []) as { id: string }[];
  const listPrice = { sellPrice: 3, priceListId: own.priceList };
  const kept = stored.map(({ id }) =>
    fc.constantFrom<(object | null)[]>(
      null,
      { id, prices: [{ sellPrice: 1 }] },
      { id, prices: [{ sellPrice: 1.5 }], unit: { type: 'GRAM' }, barcodeList: null },
      { id, prices: [{ sellPrice: 2 }, listPrice], images: [{ imageId: 'a', isMain: true, order: 1 }] },
    ),
  );
  const added = fc.constantFrom(null, { sku: 'x', prices: [{ sellPrice: 1 }], attributes: [{ value: 'a' }] });
  return fc.tuple(...kept.slice(0, 3), added).map((variants) => variants.filter((variant) => variant !== null));
}
