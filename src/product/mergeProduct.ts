import { isDeepStrictEqual } from 'node:util';
import { newId } from '../db/id.ts';
import { argumentInvalid, conflict, notFound } from '../errors.ts';
import { sent } from '../field-input.ts';
import type { ProductInput, VariantInput } from './product-input.ts';
import type { PriceRow, ProductRow, SalesChannelRow, StoredProduct, VariantRow } from './storedProducts.ts';
import type { AttributeValueWrite, ProductWrite, VariantWrite } from './writeProducts.ts';

type Path = (string | number)[];

/** What a product is to be after a save: the stored one with what was sent put over it. */
export function mergeProduct(input: ProductInput, stored: StoredProduct | undefined, path: Path): ProductWrite {
  refuseStaleVersion(input, stored);
  const { id: _id, version: _version, deleted, variants, categoryIds, tagIds, dynamicPriceListIds, productVariantTypes, attributes, ...rest } = input;
  const { metaData: _metaData, salesChannelIds, hiddenSalesChannelIds, salesChannels, ...members } = rest;
  const row = stored?.row ?? newProduct();
  return {
    isNew: !stored,
    row: { ...row, ...sent(members), version: row.version + 1, deleted: deleted ?? row.deleted },
    variants: mergeVariants(variants, stored?.variants ?? new Map(), stored?.prices ?? new Map(), [...path, 'variants']),
    categoryIds: unique(categoryIds),
    tagIds: unique(tagIds),
    dynamicPriceListIds: unique(dynamicPriceListIds),
    salesChannels: mergeSalesChannels({ salesChannelIds, hiddenSalesChannelIds, salesChannels }, stored?.salesChannels ?? []),
    variantTypes: list(productVariantTypes)?.map(({ variantValueIds, ...use }) => ({ ...use, variantValueIds: [...new Set(variantValueIds)] })),
    attributes: attributeValues(attributes),
  };
}

function refuseStaleVersion({ version }: ProductInput, stored: StoredProduct | undefined): void {
  if (!stored || version === undefined || version === null || version === stored.row.version) return;
  throw conflict(`The product was saved by someone else: its version is ${stored.row.version}, not ${version}.`, { version: stored.row.version });
}

/** All columns, so that new and stored products fit into one statement. */
function newProduct(): Omit<ProductRow, 'name' | 'type'> & Partial<ProductRow> {
  return {
    id: newId(), version: 0, baseUnit: null, brandId: null, description: null, shortDescription: null, googleTaxonomyId: null,
    groupVariantsByVariantTypeId: null, maxQuantityPerCart: null, productOptionSetId: null, productVolumeDiscountId: null,
    releaseDate: null, subscriptionPlanId: null, translations: null, vendorId: null, weight: null, sourceId: null, deleted: false,
  };
}

/** The variants in the order they were sent, and behind them those that were left out, now deleted. */
function mergeVariants(inputs: VariantInput[], stored: Map<string, VariantRow>, prices: ReadonlyMap<string, PriceRow[]>, path: Path): VariantWrite[] {
  const unknown = inputs.filter(({ id }) => id !== undefined && !stored.has(id)).map(({ id }) => id!);
  if (unknown.length > 0) throw notFound('Variant', unknown, [...path, inputs.findIndex(({ id }) => id === unknown[0]), 'id']);
  const kept = new Set(inputs.map(({ id }) => id));
  const listed = inputs.map((input, index) => mergeVariant(input, index, { row: stored.get(input.id ?? ''), prices: prices.get(input.id ?? '') ?? [] }, [...path, index]));
  const gone = [...stored.values()].filter(({ id, deleted }) => !kept.has(id) && !deleted);
  return [...listed, ...gone.map((row) => ({ isSame: false, row: variantColumns({ ...row, deleted: true }), prices: [] }))];
}

type StoredVariant = { row: VariantRow | undefined; prices: PriceRow[] };

function mergeVariant(input: VariantInput, position: number, { row: stored, prices: storedPrices }: StoredVariant, path: Path): VariantWrite {
  const { id: _id, prices, images, variantValueIds, attributes, bundleSettings, barcodeList, deleted, ...members } = input;
  if (!storedPrices.some(isBasePrice) && !prices.some(isBasePrice)) {
    throw argumentInvalid([{ path: [...path, 'prices'], message: 'must have one row without priceListId, the base price' }]);
  }
  const sentMembers = {
    ...sent(members),
    ...(barcodeList === undefined ? {} : { barcodeList: barcodeList ?? [] }),
    ...(bundleSettings === undefined ? {} : { bundleSettings: bundleLimits(bundleSettings) }),
    deleted: deleted ?? false,
  };
  return {
    ...variantRow(sentMembers, position, stored),
    prices: prices.map(priceColumns).filter((price) => !storedPrices.some((stored) => isSame(price, stored))),
    images: variantImages(images),
    values: unique(variantValueIds, ({ variantTypeId, variantValueId }) => `${variantTypeId} ${variantValueId}`),
    attributes: attributeValues(attributes),
    bundleProducts: bundleSettings === undefined ? undefined : bundleProducts(bundleSettings),
  };
}

function variantRow(members: Partial<VariantRow>, position: number, stored: VariantRow | undefined): Pick<VariantWrite, 'isSame' | 'row'> {
  if (!stored) return { isSame: false, row: variantColumns({ ...newVariant(), ...members }) };
  // Most variants of a bulk request are sent as they are: their stored row will do.
  if (stored.position === position && isSame(members, stored)) return { isSame: true, row: stored };
  return { isSame: false, row: variantColumns({ ...stored, ...members }) };
}

/** Whether the members of a row are stored so. */
function isSame<Row extends object>(row: Row, stored: Row): boolean {
  return (Object.keys(row) as (keyof Row)[]).every((member) => row[member] === stored[member] || isDeepStrictEqual(row[member], stored[member]));
}

function isBasePrice({ priceListId }: { priceListId?: string | null }): boolean {
  return priceListId == null;
}

function priceColumns({ priceListId, sellPrice, buyPrice, discountPrice, currency }: VariantInput['prices'][number]): VariantWrite['prices'][number] {
  return {
    priceListId: priceListId ?? null,
    sellPrice,
    buyPrice: buyPrice ?? null,
    discountPrice: discountPrice ?? null,
    currency: currency ?? null,
  };
}

/** Exactly one is the main image: the first in order where none is said to be. */
function variantImages(images: VariantInput['images']): VariantWrite['images'] {
  const listed = list(images);
  const main = listed?.find(({ isMain }) => isMain) ?? listed?.toSorted((a, b) => a.order - b.order)[0];
  return listed?.map((image) => ({ ...image, isMain: image === main, fileName: image.fileName ?? null, isVideo: image.isVideo ?? null }));
}

function newVariant() {
  return {
    id: newId(), sku: null, barcodeList: [], isActive: true, sellIfOutOfStock: null, weight: null, unit: null, hsCode: null,
    fileId: null, subscriptionPlanId: null, bundleSettings: null, sourceId: null, deleted: false,
  };
}

/** The same members for rows that are new and rows that are stored, as one statement writes both. */
function variantColumns(row: Omit<VariantRow, 'productId' | 'position'>): VariantWrite['row'] {
  const { id, sku, barcodeList, isActive, sellIfOutOfStock, weight, unit, hsCode, fileId, subscriptionPlanId, bundleSettings, sourceId, deleted } = row;
  return { id, sku, barcodeList, isActive, sellIfOutOfStock, weight, unit, hsCode, fileId, subscriptionPlanId, bundleSettings, sourceId, deleted };
}

function bundleLimits(settings: VariantInput['bundleSettings']): VariantRow['bundleSettings'] {
  return settings ? { maxBundleQuantity: settings.maxBundleQuantity ?? null, minBundleQuantity: settings.minBundleQuantity ?? null } : null;
}

function bundleProducts(settings: VariantInput['bundleSettings']): VariantWrite['bundleProducts'] {
  return (settings?.products ?? []).map(({ productId, addToBundleBasePrice, discountRatio, minQuantity, maxQuantity, ...entry }) => ({
    ...entry,
    containedProductId: productId,
    addToBundleBasePrice: addToBundleBasePrice ?? null,
    discountRatio: discountRatio ?? null,
    minQuantity: minQuantity ?? null,
    maxQuantity: maxQuantity ?? null,
  }));
}

function attributeValues(values: ProductInput['attributes']): AttributeValueWrite[] | undefined {
  return list(values)?.map(({ productAttributeId, productAttributeOptionId, value, imageIds }) => ({
    productAttributeId: productAttributeId ?? null,
    productAttributeOptionId: productAttributeOptionId ?? null,
    value: value ?? null,
    imageIds: imageIds ?? null,
  }));
}

type SalesChannelLists = Pick<ProductInput, 'salesChannelIds' | 'hiddenSalesChannelIds' | 'salesChannels'>;

/** Three lists share one row a channel; those that were not sent are taken from the stored rows. */
function mergeSalesChannels(input: SalesChannelLists, stored: SalesChannelRow[]): ProductWrite['salesChannels'] {
  if (Object.values(input).every((value) => value === undefined)) return undefined;
  const byPosition = [...stored].sort((a, b) => a.position - b.position);
  const listed = list(input.salesChannelIds) ?? byPosition.filter((row) => row.listed).map((row) => row.salesChannelId);
  const hidden = list(input.hiddenSalesChannelIds) ?? byPosition.filter((row) => row.hidden).map((row) => row.salesChannelId);
  const settings: ChannelSettings[] =
    list(input.salesChannels) ??
    byPosition.flatMap(({ salesChannelId, status, ...row }) => (status === null ? [] : [{ ...row, id: salesChannelId, status }]));
  const ids = [...new Set([...listed, ...hidden, ...settings.map(({ id }) => id)])];
  return ids.map((salesChannelId) => {
    const own = settings.find(({ id }) => id === salesChannelId);
    return {
      salesChannelId,
      listed: listed.includes(salesChannelId),
      hidden: hidden.includes(salesChannelId),
      status: own?.status ?? null,
      maxQuantityPerCart: own?.maxQuantityPerCart ?? null,
      minQuantityPerCart: own?.minQuantityPerCart ?? null,
      productVolumeDiscountId: own?.productVolumeDiscountId ?? null,
      quantitySettings: own?.quantitySettings ?? null,
    };
  });
}

type ChannelSettings = NonNullable<ProductInput['salesChannels']>[number];

/** A list that was sent; null is an empty one. */
function list<Element>(sent: Element[] | null | undefined): Element[] | undefined {
  return sent === undefined ? undefined : (sent ?? []);
}

function unique<Element>(sent: Element[] | null | undefined, key: (element: Element) => unknown = (element) => element): Element[] | undefined {
  return sent === undefined ? undefined : [...new Map((sent ?? []).map((element) => [key(element), element])).values()];
}
