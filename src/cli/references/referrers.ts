import { type InferSelectModel } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category, type StoredCategoryChannel } from '../../../drizzle/category.ts';
import { customer } from '../../../drizzle/customer.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type {
  StoredAttributeValue,
  StoredBundle,
  StoredImage,
  StoredPrice,
  StoredSalesChannel,
  StoredVariantType,
  StoredVariantValue,
} from '../../../drizzle/product-values.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { webhook } from '../../../drizzle/webhook.ts';
import {
  boolean,
  id,
  idByType,
  list,
  nullable,
  number,
  object,
  optional,
  partOf,
  type RecordTable,
  type Rule,
  text,
} from './rule.ts';

/** A table, and a rule for each column that neither a foreign key nor its type checks. NULL is always valid. */
export type Referrer = { table: RecordTable; columns: Readonly<Record<string, Rule>> };

type Element<List> = NonNullable<List> extends (infer Entry)[] ? Entry : never;
type Entry<Table extends RecordTable, Column extends keyof InferSelectModel<Table>> = Element<
  InferSelectModel<Table>[Column]
>;

const option = { table: productAttributeOption, whole: productAttributeOption.attributeId };
const value = { table: variantValue, whole: variantValue.variantTypeId };

const attributes = list(
  object<StoredAttributeValue>({
    productAttributeId: nullable(id(productAttribute)),
    productAttributeOptionId: nullable(partOf(option, 'productAttributeId')),
    value: nullable(text),
    imageIds: nullable(list(text)),
  }),
);

const translations = list(
  object<Entry<typeof product, 'translations'>>({ locale: text, name: optional(text), description: optional(text) }),
);

const ofProduct = referrer(product, {
  baseUnit: object<NonNullable<InferSelectModel<typeof product>['baseUnit']>>({
    type: text,
    baseAmount: optional(number),
    unitId: optional(text),
  }),
  brandId: id(productBrand),
  groupVariantsByVariantTypeId: id(variantType),
  categoryIds: list(id(category)),
  tagIds: list(id(productTag)),
  dynamicPriceListIds: list(id(priceList)),
  salesChannelIds: list(id(salesChannel)),
  hiddenSalesChannelIds: list(id(salesChannel)),
  salesChannels: list(
    object<StoredSalesChannel>({
      id: id(salesChannel),
      status: text,
      maxQuantityPerCart: nullable(number),
      minQuantityPerCart: nullable(number),
      productVolumeDiscountId: nullable(text),
      quantitySettings: nullable(list(number)),
    }),
  ),
  productVariantTypes: list(
    object<StoredVariantType>({
      variantTypeId: id(variantType),
      order: number,
      variantValueIds: list(partOf(value, 'variantTypeId')),
    }),
  ),
  attributes,
  translations,
});

const ofVariant = referrer(variant, {
  unit: object<NonNullable<InferSelectModel<typeof variant>['unit']>>({ amount: optional(number), type: text }),
  prices: list(
    object<StoredPrice>({
      sellPrice: number,
      buyPrice: nullable(number),
      discountPrice: nullable(number),
      currency: nullable(text),
      priceListId: nullable(id(priceList)),
    }),
  ),
  images: list(
    object<StoredImage>({
      imageId: text,
      fileName: nullable(text),
      isMain: boolean,
      isVideo: nullable(boolean),
      order: number,
      sourceUrl: nullable(text),
    }),
  ),
  variantValueIds: list(
    object<StoredVariantValue>({ variantTypeId: id(variantType), variantValueId: partOf(value, 'variantTypeId') }),
  ),
  attributes,
  bundleSettings: object<StoredBundle>({
    maxBundleQuantity: nullable(number),
    minBundleQuantity: nullable(number),
    products: list(
      object<Element<StoredBundle['products']>>({
        id: text,
        productId: id(product),
        quantity: number,
        order: number,
        filteredVariantIds: list(text),
        addToBundleBasePrice: nullable(boolean),
        discountRatio: nullable(number),
        minQuantity: nullable(number),
        maxQuantity: nullable(number),
      }),
    ),
  }),
});

const ofCategory = referrer(category, {
  path: list(id(category)),
  conditions: list(
    object<Entry<typeof category, 'conditions'>>({
      conditionType: text,
      method: optional(text),
      valueList: list(text),
    }),
  ),
  salesChannelIds: list(id(salesChannel)),
  salesChannels: list(object<StoredCategoryChannel>({ id: id(salesChannel), status: text })),
  translations,
});

const ofPriceList = referrer(priceList, {
  ruleList: list(
    object<Entry<typeof priceList, 'ruleList'>>({
      basePriceListId: optional(id(priceList)),
      currencyRateSettings: optional(
        object<{ amount?: number; type: string }>({ amount: optional(number), type: text }),
      ),
      currencySettings: object<{ roundingFormat?: string }>({ roundingFormat: optional(text) }),
      rules: list(
        object<Entry<typeof priceList, 'ruleList'>['rules'][number]>({
          amount: number,
          amountType: text,
          operationType: text,
        }),
      ),
    }),
  ),
});

/** The other members of a price rule refer to nothing. */
const ofCustomer = referrer(customer, {
  priceListRules: list(object<{ priceListId: string | null }>({ priceListId: nullable(id(priceList)) })),
});

/** Translated names of values and options. */
const resolveNames = (table: RecordTable): Rule =>
  list(object<{ id: string; name?: string }>({ id: id(table), name: optional(text) }));

export const referrers: readonly Referrer[] = [
  ofProduct,
  ofVariant,
  ofCategory,
  referrer(productBrand, { salesChannelIds: list(id(salesChannel)), translations }),
  referrer(productTag, { translations }),
  referrer(productAttribute, {
    translations: list(
      object<Entry<typeof productAttribute, 'translations'>>({
        locale: text,
        name: optional(text),
        description: optional(text),
        options: optional(resolveNames(productAttributeOption)),
      }),
    ),
  }),
  referrer(variantType, {
    translations: list(
      object<Entry<typeof variantType, 'translations'>>({
        locale: text,
        name: optional(text),
        values: optional(resolveNames(variantValue)),
      }),
    ),
  }),
  ofPriceList,
  referrer(salesChannel, {
    stockLocations: list(
      object<Entry<typeof salesChannel, 'stockLocations'>>({ id: id(stockLocation), order: number }),
    ),
    paymentGateways: list(object<Entry<typeof salesChannel, 'paymentGateways'>>({ id: text, order: number })),
  }),
  referrer(stockLocation, {
    translations: list(
      object<Entry<typeof stockLocation, 'translations'>>({ locale: text, description: optional(text) }),
    ),
  }),
  ofCustomer,
  referrer(pageMetadata, {
    targetType: text,
    targetId: idByType('targetType', { BRAND: productBrand, CATEGORY: category, PRODUCT: product }),
  }),
  referrer(authorizedApp, { salesChannelId: id(salesChannel) }),
  referrer(webhook, { salesChannelIds: list(id(salesChannel)) }),
];

function referrer<Table extends RecordTable>(
  table: Table,
  columns: { [Column in keyof InferSelectModel<Table>]?: Rule },
): Referrer {
  return { table, columns: columns as Record<string, Rule> };
}
