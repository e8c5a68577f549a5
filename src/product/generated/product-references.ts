// Written by `npm run codegen` from @reference in schema/product.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const productReferences = {
  VariantInput: [
    { path: 'prices[].priceListId', to: 'PriceList' },
    { path: 'attributes[].productAttributeId', to: 'ProductAttribute' },
    { path: 'attributes[].productAttributeOptionId', to: 'ProductAttributeOption', partOf: 'productAttributeId' },
    { path: 'variantValueIds[].variantTypeId', to: 'ProductVariantType' },
    { path: 'variantValueIds[].variantValueId', to: 'VariantValue', partOf: 'variantTypeId' },
    { path: 'bundleSettings.products[].productId', to: 'Product' },
  ],
  ProductInput: [
    { path: 'attributes[].productAttributeId', to: 'ProductAttribute' },
    { path: 'attributes[].productAttributeOptionId', to: 'ProductAttributeOption', partOf: 'productAttributeId' },
    { path: 'brandId', to: 'ProductBrand' },
    { path: 'categoryIds[]', to: 'Category' },
    { path: 'dynamicPriceListIds[]', to: 'PriceList' },
    { path: 'groupVariantsByVariantTypeId', to: 'ProductVariantType' },
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
    { path: 'hiddenSalesChannelIds[]', to: 'SalesChannel' },
    { path: 'salesChannels[].id', to: 'SalesChannel' },
    { path: 'productVariantTypes[].variantTypeId', to: 'ProductVariantType' },
    { path: 'productVariantTypes[].variantValueIds[]', to: 'VariantValue', partOf: 'variantTypeId' },
    { path: 'tagIds[]', to: 'ProductTag' },
  ],
  VariantPatchInput: [
    { path: 'prices[].priceListId', to: 'PriceList' },
    { path: 'attributes[].productAttributeId', to: 'ProductAttribute' },
    { path: 'attributes[].productAttributeOptionId', to: 'ProductAttributeOption', partOf: 'productAttributeId' },
    { path: 'variantValueIds[].variantTypeId', to: 'ProductVariantType' },
    { path: 'variantValueIds[].variantValueId', to: 'VariantValue', partOf: 'variantTypeId' },
    { path: 'bundleSettings.products[].productId', to: 'Product' },
  ],
  ProductPatchInput: [
    { path: 'attributes[].productAttributeId', to: 'ProductAttribute' },
    { path: 'attributes[].productAttributeOptionId', to: 'ProductAttributeOption', partOf: 'productAttributeId' },
    { path: 'brandId', to: 'ProductBrand' },
    { path: 'categoryIds[]', to: 'Category' },
    { path: 'dynamicPriceListIds[]', to: 'PriceList' },
    { path: 'groupVariantsByVariantTypeId', to: 'ProductVariantType' },
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
    { path: 'hiddenSalesChannelIds[]', to: 'SalesChannel' },
    { path: 'salesChannels[].id', to: 'SalesChannel' },
    { path: 'productVariantTypes[].variantTypeId', to: 'ProductVariantType' },
    { path: 'productVariantTypes[].variantValueIds[]', to: 'VariantValue', partOf: 'variantTypeId' },
    { path: 'tagIds[]', to: 'ProductTag' },
  ],
  BulkUpdateProductVariantInput: [
    { path: 'prices[].priceListId', to: 'PriceList' },
    { path: 'stocks[].stockLocationId', to: 'StockLocation', again: false },
  ],
  BulkUpdateProductsInput: [
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
    { path: 'salesChannels[].id', to: 'SalesChannel' },
  ],
  SaveVariantPricesInput: [
    { path: 'priceListId', to: 'PriceList', again: false },
    { path: 'variantPriceInputs[].productId', to: 'Product', again: false },
    { path: 'variantPriceInputs[].variantId', to: 'Variant', partOf: 'productId', again: false },
    { path: 'variantPriceInputs[].price.priceListId', to: 'PriceList' },
  ],
  UpdateProductSalesChannelStatusInput: [
    { path: 'productId', to: 'Product', again: false },
  ],
} satisfies Record<string, readonly Reference[]>;
