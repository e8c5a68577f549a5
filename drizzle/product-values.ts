import type { productUnitTypeEnum, salesChannelStatusEnum } from './generated/enums.ts';

export type ProductUnitType = (typeof productUnitTypeEnum)[number];

/**
 * Value objects of products and variants. Lists of value objects are stored as JSON in the shape of the input, with
 * every member. An empty list is null: then it takes no space in the row and has no entry in an index of its ids.
 */
export type StoredSalesChannel = {
  id: string;
  status: (typeof salesChannelStatusEnum)[number];
  maxQuantityPerCart: number | null;
  minQuantityPerCart: number | null;
  productVolumeDiscountId: string | null;
  quantitySettings: number[] | null;
};

export type StoredVariantType = { variantTypeId: string; order: number; variantValueIds: string[] };

export type StoredAttributeValue = {
  productAttributeId: string | null;
  productAttributeOptionId: string | null;
  value: string | null;
  imageIds: string[] | null;
};

/**
 * `priceListId` is null for the base price, which is first. `currency` null means the price list's currency, or the
 * merchant's for the base price.
 */
export type StoredPrice = {
  sellPrice: number;
  buyPrice: number | null;
  discountPrice: number | null;
  currency: string | null;
  priceListId: string | null;
};

/**
 * In display order. `sourceUrl` is the address that a bulk request named, so that the same request does not fetch it
 * again.
 */
export type StoredImage = {
  imageId: string;
  fileName: string | null;
  isMain: boolean;
  isVideo: boolean | null;
  order: number;
  sourceUrl: string | null;
};

export type StoredVariantValue = { variantTypeId: string; variantValueId: string };

export type StoredBundle = {
  maxBundleQuantity: number | null;
  minBundleQuantity: number | null;
  products: StoredBundleProduct[];
};

type StoredBundleProduct = {
  /** Chosen by the client; unique within the bundle. */
  id: string;
  productId: string;
  quantity: number;
  order: number;
  filteredVariantIds: string[];
  addToBundleBasePrice: boolean | null;
  discountRatio: number | null;
  minQuantity: number | null;
  maxQuantity: number | null;
};
