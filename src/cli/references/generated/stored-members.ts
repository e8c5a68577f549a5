// Written by `npm run codegen` from schema/ and drizzle/. Do not edit.
import { productBrand, category, productTag, priceList, salesChannel, variantType, variantValue, productAttribute, productAttributeOption, product, stockLocation } from '../../../../drizzle/index.ts';
import { boolean, id, list, nullable, number, object, optional, partOf, text } from '../rules/rule.ts';

/** What the service stores in columns that neither a foreign key nor their type checks. */
export const storedMembers = {
  product: {
    attributes: list(object({
      productAttributeId: nullable(id(productAttribute)),
      productAttributeOptionId: nullable(partOf({ table: productAttributeOption, whole: productAttributeOption.attributeId }, 'productAttributeId')),
      value: nullable(text),
      imageIds: nullable(list(text)),
    })),
    baseUnit: object({
      type: text,
      baseAmount: optional(number),
      unitId: optional(text),
    }),
    brandId: id(productBrand),
    categoryIds: list(id(category)),
    dynamicPriceListIds: list(id(priceList)),
    groupVariantsByVariantTypeId: id(variantType),
    salesChannelIds: list(id(salesChannel)),
    hiddenSalesChannelIds: list(id(salesChannel)),
    salesChannels: list(object({
      id: id(salesChannel),
      status: text,
      maxQuantityPerCart: nullable(number),
      minQuantityPerCart: nullable(number),
      productVolumeDiscountId: nullable(text),
      quantitySettings: nullable(list(number)),
    })),
    productVariantTypes: list(object({
      order: number,
      variantTypeId: id(variantType),
      variantValueIds: list(partOf({ table: variantValue, whole: variantValue.variantTypeId }, 'variantTypeId')),
    })),
    tagIds: list(id(productTag)),
    translations: list(object({
      locale: text,
      name: optional(text),
      description: optional(text),
    })),
  },
  variant: {
    prices: list(object({
      sellPrice: number,
      buyPrice: nullable(number),
      discountPrice: nullable(number),
      currency: nullable(text),
      priceListId: nullable(id(priceList)),
    })),
    attributes: list(object({
      productAttributeId: nullable(id(productAttribute)),
      productAttributeOptionId: nullable(partOf({ table: productAttributeOption, whole: productAttributeOption.attributeId }, 'productAttributeId')),
      value: nullable(text),
      imageIds: nullable(list(text)),
    })),
    images: list(object({
      imageId: text,
      isMain: boolean,
      order: number,
      fileName: nullable(text),
      isVideo: nullable(boolean),
      sourceUrl: nullable(text),
    })),
    variantValueIds: list(object({
      variantTypeId: id(variantType),
      variantValueId: partOf({ table: variantValue, whole: variantValue.variantTypeId }, 'variantTypeId'),
    })),
    unit: object({
      amount: optional(number),
      type: text,
    }),
    bundleSettings: object({
      maxBundleQuantity: nullable(number),
      minBundleQuantity: nullable(number),
      products: list(object({
        id: text,
        productId: id(product),
        quantity: number,
        order: number,
        filteredVariantIds: list(text),
        addToBundleBasePrice: nullable(boolean),
        discountRatio: nullable(number),
        minQuantity: nullable(number),
        maxQuantity: nullable(number),
      })),
    }),
  },
  category: {
    conditions: list(object({
      conditionType: text,
      method: optional(text),
      valueList: list(text),
    })),
    salesChannelIds: list(id(salesChannel)),
    salesChannels: list(object({
      id: id(salesChannel),
      status: text,
    })),
    translations: list(object({
      locale: text,
      name: optional(text),
      description: optional(text),
    })),
  },
  productBrand: {
    salesChannelIds: list(id(salesChannel)),
    translations: list(object({
      locale: text,
      name: optional(text),
      description: optional(text),
    })),
  },
  productTag: {
    translations: list(object({
      locale: text,
      name: optional(text),
      description: optional(text),
    })),
  },
  productAttribute: {
    translations: list(object({
      locale: text,
      name: optional(text),
      description: optional(text),
      options: optional(list(object({
        id: id(productAttributeOption),
        name: optional(text),
      }))),
    })),
  },
  variantType: {
    translations: list(object({
      locale: text,
      name: optional(text),
      values: optional(list(object({
        id: id(variantValue),
        name: optional(text),
      }))),
    })),
  },
  priceList: {
    ruleList: list(object({
      basePriceListId: optional(id(priceList)),
      currencyRateSettings: optional(object({
        amount: optional(number),
        type: text,
      })),
      currencySettings: object({
        roundingFormat: optional(text),
      }),
      rules: list(object({
        amount: number,
        amountType: text,
        operationType: text,
      })),
    })),
  },
  salesChannel: {
    stockLocations: list(object({
      id: id(stockLocation),
      order: number,
    })),
    paymentGateways: list(object({
      id: text,
      order: number,
    })),
  },
  stockLocation: {
    translations: list(object({
      locale: text,
      description: optional(text),
    })),
  },
  webhook: {
    salesChannelIds: list(id(salesChannel)),
  },
};
