import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { category as categoryTable } from '../../drizzle/category.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';

const record = { id: {}, name: {}, createdAt: {}, updatedAt: {}, deleted: {} };
const prices = {
  sellPrice: {},
  buyPrice: {},
  discountPrice: {},
  currency: {},
  currencyCode: {},
  currencySymbol: {},
  priceListId: {},
};
const attributes = { productAttributeId: {}, productAttributeOptionId: {}, value: {}, imageIds: {} };

/** Every field of a product. */
export const allOfProduct: Selection = {
  ...record,
  version: {},
  type: {},
  attributes,
  baseUnit: {},
  brand: record,
  brandId: {},
  categories: { ...record, parentId: {} },
  categoryIds: {},
  description: {},
  shortDescription: {},
  dynamicPriceListIds: {},
  googleTaxonomyId: {},
  groupVariantsByVariantTypeId: {},
  hiddenSalesChannelIds: {},
  salesChannelIds: {},
  maxQuantityPerCart: {},
  productOptionSetId: {},
  productVolumeDiscountId: {},
  releaseDate: {},
  salesChannels: {
    id: {},
    status: {},
    maxQuantityPerCart: {},
    minQuantityPerCart: {},
    productVolumeDiscountId: {},
    quantitySettings: {},
  },
  metaData: { id: {}, slug: {}, pageTitle: {} },
  subscriptionPlanId: {},
  tagIds: {},
  tags: record,
  totalStock: {},
  translations: {},
  vendorId: {},
  weight: {},
  productVariantTypes: {
    id: {},
    name: {},
    order: {},
    variantTypeId: {},
    variantValueIds: {},
    values: { id: {}, name: {} },
  },
  variants: {
    id: {},
    sku: {},
    barcodeList: {},
    isActive: {},
    prices,
    stocks: { stockCount: {} },
    attributes,
    sellIfOutOfStock: {},
    weight: {},
    unit: {},
    images: { imageId: {}, fileName: {}, isMain: {}, isVideo: {}, order: {} },
    variantValueIds: { variantTypeId: {}, variantValueId: {} },
    hsCode: {},
    fileId: {},
    subscriptionPlanId: {},
    createdAt: {},
    updatedAt: {},
    deleted: {},
    bundleSettings: {
      maxBundleQuantity: {},
      minBundleQuantity: {},
      products: { id: {}, productId: {}, quantity: {}, order: {}, filteredVariantIds: {}, minQuantity: {} },
    },
  },
};

export function plainProduct(name: string, sku: string | null = null, sellPrice = 10) {
  return { name, type: 'PHYSICAL' as const, variants: [{ sku, isActive: true, prices: [{ sellPrice }] }] };
}

export function productSaver(ctx: Context) {
  return (input: object) => saveProduct(ctx, { input: input as never }, allOfProduct);
}

export async function variantTypeOf(ctx: Context, ...names: string[]) {
  const input = { name: newId(), selectionType: 'choice' as const, values: names.map((name) => ({ name })) };
  return await saveVariantType(ctx, { input }, { id: {}, values: { id: {} } });
}

/** An input with a value in every member. Saves the records to which it refers. */
export async function fullProductInput(ctx: Context) {
  const id = { id: {} };
  const brand = await saveProductBrand(ctx, { input: { name: newId() } }, id);
  const tag = async () => (await saveProductTag(ctx, { input: { name: newId() } }, id)).id;
  const channel = async () => (await saveSalesChannel(ctx, { input: { name: newId(), type: 'STOREFRONT' } }, id)).id;
  const [visible, hidden] = [await channel(), await channel()];
  const priceList = await savePriceList(ctx, { input: { name: newId(), currency: 'EUR', currencySymbol: '€' } }, id);
  const category = { id: newId() };
  await ctx.db.insert(categoryTable).values({ merchantId: ctx.merchantId, id: category.id, name: 'Shirts' });
  const attribute = await saveProductAttribute(
    ctx,
    { input: { name: newId(), type: 'CHOICE', options: [{ name: 'Cotton' }] } },
    { id: {}, options: { id: {} } },
  );
  const size = await variantTypeOf(ctx, 'S', 'M');
  const part = await saveProduct(ctx, { input: plainProduct('Part') }, id);
  return {
    name: 'Full',
    type: 'BUNDLE',
    brandId: brand.id,
    tagIds: [await tag(), await tag()],
    categoryIds: [category.id],
    salesChannelIds: [visible],
    hiddenSalesChannelIds: [hidden],
    salesChannels: [{ id: visible, status: 'VISIBLE', maxQuantityPerCart: 9, quantitySettings: [1, 2.5] }],
    dynamicPriceListIds: [priceList.id],
    weight: 1.25,
    maxQuantityPerCart: 3,
    releaseDate: 1_700_000_000_000,
    baseUnit: { type: 'GRAM', baseAmount: 100 },
    attributes: [
      {
        productAttributeId: attribute.id,
        productAttributeOptionId: attribute.options![0]!.id,
        value: 'v',
        imageIds: ['x'],
      },
    ],
    translations: [{ locale: 'de', name: 'Voll' }],
    metaData: { slug: newId(), pageTitle: 'T' },
    description: 'd "q" \\ \u2028 \u{1f600}\n\t\u0001',
    productVariantTypes: [{ order: 0, variantTypeId: size.id, variantValueIds: size.values.map(({ id }) => id) }],
    variants: [
      {
        sku: 'S-1',
        barcodeList: ['111', '222'],
        images: [{ imageId: 'i1', isMain: true, order: 0 }],
        unit: { amount: 2, type: 'GRAM' },
        attributes: [],
        prices: [
          { sellPrice: 19.99, buyPrice: 0.1 },
          { sellPrice: 1_234_567_890_123.25, priceListId: priceList.id },
        ],
        variantValueIds: [{ variantTypeId: size.id, variantValueId: size.values[0]!.id }],
      },
      {
        sku: 'S-2',
        prices: [{ sellPrice: 0 }],
        sellIfOutOfStock: true,
        hsCode: 'hs',
        bundleSettings: {
          maxBundleQuantity: 5,
          products: [{ id: 'k', productId: part.id, quantity: 2, order: 1, filteredVariantIds: [] }],
        },
      },
    ],
  };
}

type Members = Record<string, unknown>;

/** Makes an input of a product that was read, without computed members. */
export function asProductInput(product: object): Members {
  const {
    brand: _b,
    categories: _c,
    tags: _t,
    totalStock: _s,
    createdAt: _ca,
    updatedAt: _u,
    productVariantTypes,
    variants,
    ...input
  } = product as Members;
  return {
    ...input,
    productVariantTypes: (productVariantTypes as Members[]).map(({ order, variantTypeId, variantValueIds }) => ({
      order,
      variantTypeId,
      variantValueIds,
    })),
    variants: (variants as Members[]).map(({ stocks: _stocks, prices, ...variant }) => ({
      ...variant,
      prices: (prices as Members[]).map(({ currencyCode: _code, currencySymbol: _symbol, ...price }) => price),
    })),
  };
}

export const allOfBulkOperation: Selection = {
  id: {},
  status: {},
  total: {},
  created: {},
  updated: {},
  deleted: {},
  imagesTotal: {},
  imagesPending: {},
  imagesFailed: {},
  errors: { path: {}, message: {} },
  createdAt: {},
  updatedAt: {},
};
