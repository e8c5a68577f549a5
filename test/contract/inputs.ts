import { z } from 'zod';
import { attributeInput } from '../../src/attribute/attribute-input.ts';
import { brandInput } from '../../src/brand/brand-input.ts';
import { categoryInput } from '../../src/category/category-input.ts';
import { customerInput } from '../../src/customer/customer-input.ts';
import { priceListInput } from '../../src/price-list/price-list-input.ts';
import { bulkProductsInput } from '../../src/product/bulk/bulk-products-input.ts';
import { salesChannelStatusInput } from '../../src/product/sales-channel-status-input.ts';
import { productInput } from '../../src/product/save/product-input.ts';
import { productPatchInput } from '../../src/product/save/product-patch-input.ts';
import { variantPricesInput } from '../../src/product/variant-prices-input.ts';
import { salesChannelInput } from '../../src/sales-channel/sales-channel-input.ts';
import { productStockLocationsInput } from '../../src/stock/product-stock-location-input.ts';
import { stockLocationInput } from '../../src/stock/stock-location-input.ts';
import { tagInput } from '../../src/tag/tag-input.ts';
import { variantTypeInput } from '../../src/variant-type/variant-type-input.ts';
import { webhookInput } from '../../src/webhook/webhook-input.ts';

/** The schema with which a mutation checks an argument that is an input object or a list of them. */
export const SCHEMAS: Record<string, z.ZodType> = {
  'bulkUpdateProducts.input': z.array(bulkProductsInput.entry),
  'saveCategory.input': categoryInput,
  'saveCustomer.input': customerInput,
  'savePriceList.input': priceListInput,
  'saveProduct.input': productInput,
  'saveProductAttribute.input': attributeInput,
  'saveProductBrand.input': brandInput,
  'saveProductStockLocations.input': productStockLocationsInput,
  'saveProductTag.input': tagInput,
  'saveSalesChannel.input': salesChannelInput,
  'saveStockLocation.input': stockLocationInput,
  'saveVariantPrices.input': variantPricesInput,
  'saveVariantType.input': variantTypeInput,
  'saveWebhook.input': webhookInput,
  'updateProduct.patch': productPatchInput,
  'updateProductSalesChannelStatus.input': salesChannelStatusInput,
};

/** The members of inputs that the service ignores, by their SDL types, and why. */
export const IGNORED: Record<string, RegExp> = {
  'the database sets the times of records': /\.(createdAt|updatedAt)$/,
  'a page belongs to the record with which it is saved, and has one id':
    /HTMLMetaData(Patch)?Input\.(id|targetId|targetType)$/,
  'follows from the currency, the price list and its rules':
    /^ProductPrice(Patch)?Input\.(currencyCode|currencySymbol|isComputed)$/,
};
