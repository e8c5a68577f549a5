import type { StoredSalesChannel, StoredVariantType } from '../../../drizzle/product-values.ts';
import { newId } from '../../db/sql/id.ts';
import { conflict, type InputPath } from '../../errors.ts';
import { withoutUndefined } from '../../field-input.ts';
import { attributeValue } from './merge-variant.ts';
import { type MergedVariants, mergeVariants, type UnnamedVariants } from './merge-variants.ts';
import type { ProductInput } from '../input/product-input.ts';
import { storedList } from './stored-list.ts';
import type { ProductRow, StoredProduct } from '../stored/stored-products.ts';
import type { ProductWrite } from '../stored/write-product-rows.ts';

export type MergedProduct = ProductWrite & {
  /** See `MergedVariants.sent`. */
  sentVariants: MergedVariants['sent'];
};

/** The product as it will be stored: members that were sent replace the stored ones. */
export function mergeProduct(
  input: ProductInput,
  stored: StoredProduct | undefined,
  unnamed: UnnamedVariants,
  path: InputPath,
): MergedProduct {
  refuseStaleVersion(input, stored);
  const { id: _id, version: _version, metaData: _metaData, deleted, variants, ...members } = input;
  const row = stored?.row ?? newProduct();
  const { sent, all } = mergeVariants(variants, stored?.variants ?? new Map(), unnamed, [...path, 'variants']);
  return {
    stored: stored?.row,
    row: {
      ...row,
      ...withoutUndefined({ ...members, ...lists(input) }),
      deleted: deleted ?? row.deleted,
    } as ProductRow,
    variants: all,
    sentVariants: sent,
  };
}

function refuseStaleVersion({ version }: ProductInput, stored: StoredProduct | undefined): void {
  if (!stored || version === undefined || version === null || version === stored.row.version) return;
  throw conflict(`The product was saved by someone else: its version is ${stored.row.version}, not ${version}.`, {
    version: stored.row.version,
  });
}

/** The defaults of a new product. It has all columns, because one statement writes new and stored products. */
function newProduct(): Omit<ProductRow, 'name' | 'type'> {
  return {
    id: newId(),
    version: 1,
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

/** The lists that were sent, as they are stored. Null clears a list. */
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
