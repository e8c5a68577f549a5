import { z } from 'zod';
import { productAttributeInput } from '../../src/attribute/generated/attribute-input.ts';
import { productBrandInput } from '../../src/brand/generated/brand-input.ts';
import { categoryInput } from '../../src/category/generated/category-input.ts';
import { customerInput } from '../../src/customer/generated/customer-input.ts';
import { priceListInput } from '../../src/price-list/generated/price-list-input.ts';
import { bulkProductsInput } from '../../src/product/bulk/bulk-products-input.ts';
import { updateProductSalesChannelStatusInputList } from '../../src/product/generated/product-input.ts';
import { productInput } from '../../src/product/input/product-input.ts';
import { productPatchInput } from '../../src/product/input/product-patch-input.ts';
import { variantPricesInput } from '../../src/product/input/variant-prices-input.ts';
import { revertChangesInput } from '../../src/revert/generated/revert-input.ts';
import { salesChannelInput } from '../../src/sales-channel/generated/sales-channel-input.ts';
import { productStockLocationsInput } from '../../src/stock/product-stock-location-input.ts';
import { holds } from '../../src/stock/hold/stock-hold-input.ts';
import { adjustments } from '../../src/stock/movement/stock-movement-input.ts';
import { moveStockInputList, stockLocationInput } from '../../src/stock/generated/stock-input.ts';
import { productTagInput } from '../../src/tag/generated/tag-input.ts';
import { variantTypeInput } from '../../src/variant-type/variant-type-input.ts';
import { webhookInput } from '../../src/webhook/webhook-input.ts';

/** The zod schemas with which mutations validate arguments that are input objects, or lists of them. */
export const SCHEMAS: Record<string, z.ZodType> = {
  'adjustStock.input': adjustments,
  'bulkUpdateProducts.input': z.array(bulkProductsInput.entry),
  'holdStock.input': holds,
  'moveStock.input': moveStockInputList,
  'revertChanges.input': revertChangesInput,
  'saveCategory.input': categoryInput,
  'saveCustomer.input': customerInput,
  'savePriceList.input': priceListInput,
  'saveProduct.input': productInput,
  'saveProductAttribute.input': productAttributeInput,
  'saveProductBrand.input': productBrandInput,
  'saveProductStockLocations.input': productStockLocationsInput,
  'saveProductTag.input': productTagInput,
  'saveSalesChannel.input': salesChannelInput,
  'saveStockLocation.input': stockLocationInput,
  'saveVariantPrices.input': variantPricesInput,
  'saveVariantType.input': variantTypeInput,
  'saveWebhook.input': webhookInput,
  'updateProduct.patch': productPatchInput,
  'updateProductSalesChannelStatus.input': updateProductSalesChannelStatusInputList,
};
