import type {
  StoredAttributeValue,
  StoredBundle,
  StoredImage,
  StoredSalesChannel,
  StoredVariantType,
} from '../../../drizzle/product.ts';
import { newId } from '../../db/sql/id.ts';
import { argumentInvalid, conflict, notFound } from '../../errors.ts';
import { withoutUndefined } from '../../field-input.ts';
import { matchesStored, storedList } from './stored-list.ts';
import { mergePrices } from './variant-prices.ts';
import type { ProductInput, VariantInput } from './product-input.ts';
import type { ProductRow, StoredProduct, VariantRow } from './stored-products.ts';
import { sortedImages, withMainImage } from './variant-images.ts';
import type { ProductWrite, VariantWrite } from './write-products.ts';

type Path = (string | number)[];

/** What a product is to be after a save: the stored one with what was sent put over it. */
export function mergeProduct(input: ProductInput, stored: StoredProduct | undefined, path: Path): ProductWrite {
  refuseStaleVersion(input, stored);
  const { id: _id, version: _version, metaData: _metaData, deleted, variants, ...members } = input;
  const row = stored?.row ?? newProduct();
  return {
    isNew: !stored,
    row: {
      ...row,
      ...withoutUndefined({ ...members, ...lists(input) }),
      version: row.version + 1,
      deleted: deleted ?? row.deleted,
    } as ProductRow,
    variants: mergeVariants(variants, stored?.variants ?? new Map(), [...path, 'variants']),
  };
}

function refuseStaleVersion({ version }: ProductInput, stored: StoredProduct | undefined): void {
  if (!stored || version === undefined || version === null || version === stored.row.version) return;
  throw conflict(`The product was saved by someone else: its version is ${stored.row.version}, not ${version}.`, {
    version: stored.row.version,
  });
}

/** All columns, so that new and stored products fit into one statement. */
function newProduct(): Omit<ProductRow, 'name' | 'type'> {
  return {
    id: newId(),
    version: 0,
    baseUnit: null,
    brandId: null,
    description: null,
    shortDescription: null,
    googleTaxonomyId: null,
    groupVariantsByVariantTypeId: null,
    maxQuantityPerCart: null,
    productOptionSetId: null,
    productVolumeDiscountId: null,
    releaseDate: null,
    categoryIds: [],
    tagIds: [],
    dynamicPriceListIds: [],
    salesChannelIds: [],
    hiddenSalesChannelIds: [],
    salesChannels: null,
    variantTypes: null,
    attributes: null,
    subscriptionPlanId: null,
    translations: null,
    vendorId: null,
    weight: null,
    sourceId: null,
    deleted: false,
  };
}

/** The lists that were sent, as they are stored; null is an empty one. */
function lists(input: ProductInput): Partial<ProductRow> & { productVariantTypes: undefined } {
  return {
    productVariantTypes: undefined,
    categoryIds: distinctIds(input.categoryIds),
    tagIds: distinctIds(input.tagIds),
    dynamicPriceListIds: distinctIds(input.dynamicPriceListIds),
    salesChannelIds: distinctIds(input.salesChannelIds),
    hiddenSalesChannelIds: distinctIds(input.hiddenSalesChannelIds),
    salesChannels: storedList(input.salesChannels, salesChannel),
    variantTypes: storedList(input.productVariantTypes, variantType),
    attributes: storedList(input.attributes, attributeValue),
  } as Partial<ProductRow> & { productVariantTypes: undefined };
}

function distinctIds(ids: readonly string[] | null | undefined): string[] | undefined {
  return ids === undefined ? undefined : [...new Set(ids ?? [])];
}

function salesChannel(channel: NonNullable<ProductInput['salesChannels']>[number]): StoredSalesChannel {
  const {
    id,
    status,
    maxQuantityPerCart = null,
    minQuantityPerCart = null,
    productVolumeDiscountId = null,
    quantitySettings = null,
  } = channel;
  return { id, status, maxQuantityPerCart, minQuantityPerCart, productVolumeDiscountId, quantitySettings };
}

function variantType({
  variantTypeId,
  order,
  variantValueIds,
}: NonNullable<ProductInput['productVariantTypes']>[number]): StoredVariantType {
  return { variantTypeId, order, variantValueIds: [...new Set(variantValueIds)] };
}

function attributeValue(attribute: NonNullable<ProductInput['attributes']>[number]): StoredAttributeValue {
  const { productAttributeId = null, productAttributeOptionId = null, value = null, imageIds = null } = attribute;
  return { productAttributeId, productAttributeOptionId, value, imageIds };
}

/** The variants in the order they were sent, and behind them those that were left out, now deleted. */
function mergeVariants(inputs: VariantInput[], stored: Map<string, VariantRow>, path: Path): VariantWrite[] {
  const unknown = inputs.filter(({ id }) => id !== undefined && !stored.has(id)).map(({ id }) => id!);
  if (unknown.length > 0)
    throw notFound('Variant', unknown, [...path, inputs.findIndex(({ id }) => id === unknown[0]), 'id']);
  const kept = new Set(inputs.map(({ id }) => id));
  const listed = inputs.map((input, index) => mergeVariant(input, index, stored.get(input.id ?? ''), [...path, index]));
  const gone = [...stored.values()].filter(({ id, deleted }) => !kept.has(id) && !deleted);
  return [
    ...listed,
    ...gone.map((row) => ({ isNew: false, isUnchanged: false, row: variantColumns({ ...row, deleted: true }) })),
  ];
}

function mergeVariant(input: VariantInput, position: number, stored: VariantRow | undefined, path: Path): VariantWrite {
  const { id: _id, images, variantValueIds, attributes, bundleSettings, barcodeList, deleted, ...members } = input;
  const prices = mergePrices(stored?.prices ?? [], input.prices);
  if (prices[0]?.priceListId !== null) {
    throw argumentInvalid([
      { path: [...path, 'prices'], message: 'must have one row without priceListId, the base price' },
    ]);
  }
  const merged: Partial<VariantRow> = {
    ...withoutUndefined({
      ...members,
      barcodeList: barcodeList === undefined ? undefined : (barcodeList ?? []),
      images: mergeImages(stored?.images ?? [], images),
      variantValues: variantValues(variantValueIds),
      attributes: storedList(attributes, attributeValue),
      bundle: bundleSettings === undefined ? undefined : bundle(bundleSettings),
    }),
    prices,
    deleted: deleted ?? false,
  };
  if (!stored)
    return { isNew: true, isUnchanged: false, row: variantColumns({ ...newVariant(), ...merged } as VariantRow) };
  // Most variants of a bulk request are sent as they are.
  return {
    isNew: false,
    isUnchanged: stored.position === position && matchesStored(merged, stored),
    row: variantColumns({ ...stored, ...merged }),
  };
}

type Images = VariantInput['images'];

/** Exactly one is the main image: the first in order where none is said to be. */
function mergeImages(stored: readonly StoredImage[], sent: Images): StoredImage[] | null | undefined {
  const sourceUrls = new Map(stored.map(({ imageId, sourceUrl }) => [imageId, sourceUrl]));
  const images = storedList(sent, ({ imageId, fileName = null, isMain, isVideo = null, order }) => ({
    imageId,
    fileName,
    isMain,
    isVideo,
    order,
    sourceUrl: sourceUrls.get(imageId) ?? null,
  }));
  return images && withMainImage(sortedImages(images));
}

function variantValues(values: VariantInput['variantValueIds']): VariantRow['variantValues'] | undefined {
  const distinct = values && [
    ...new Map(values.map((value) => [`${value.variantTypeId} ${value.variantValueId}`, value])).values(),
  ];
  return storedList(distinct, ({ variantTypeId, variantValueId }) => ({ variantTypeId, variantValueId }));
}

function bundle(settings: VariantInput['bundleSettings']): StoredBundle | null {
  if (!settings) return null;
  const { maxBundleQuantity = null, minBundleQuantity = null, products } = settings;
  return {
    maxBundleQuantity,
    minBundleQuantity,
    products: products.map(({ id, productId, quantity, order, filteredVariantIds, ...rest }) => {
      const { addToBundleBasePrice = null, discountRatio = null, minQuantity = null, maxQuantity = null } = rest;
      return {
        id,
        productId,
        quantity,
        order,
        filteredVariantIds,
        addToBundleBasePrice,
        discountRatio,
        minQuantity,
        maxQuantity,
      };
    }),
  };
}

function newVariant(): Omit<VariantRow, 'productId' | 'position' | 'prices'> {
  return {
    id: newId(),
    sku: null,
    barcodeList: [],
    isActive: true,
    sellIfOutOfStock: null,
    weight: null,
    unit: null,
    hsCode: null,
    fileId: null,
    subscriptionPlanId: null,
    images: null,
    variantValues: null,
    attributes: null,
    bundle: null,
    sourceId: null,
    deleted: false,
  };
}

/** The same members for rows that are new and rows that are stored, as one statement writes both. */
function variantColumns({ productId: _productId, position: _position, ...row }: VariantRow): VariantWrite['row'] {
  return row;
}
