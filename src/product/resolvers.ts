import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { bulkUpdateProducts } from './bulkUpdateProducts.ts';
import { deleteProductList } from './deleteProductList.ts';
import { getBulkOperation } from './getBulkOperation.ts';
import { listBulkOperation } from './listBulkOperation.ts';
import { lowestPrice } from './lowestPrice.ts';
import { listProduct } from './listProduct.ts';
import { saveProduct } from './saveProduct.ts';
import { saveVariantPrices } from './saveVariantPrices.ts';
import { searchProducts } from './searchProducts.ts';
import { updateProduct } from './updateProduct.ts';
import { updateProductSalesChannelStatus } from './updateProductSalesChannelStatus.ts';

export const productResolvers = {
  Query: {
    getBulkOperation: (_, args, ctx, info) => getBulkOperation(ctx, args, info.selection),
    lowestPrice: (_, args, ctx) => lowestPrice(ctx, args),
    listBulkOperation: (_, args, ctx, info) => listBulkOperation(ctx, args, info.selection),
    listProduct: (_, args, ctx, info) => listProduct(ctx, args, info.selection),
    searchProducts: (_, args, ctx, info) => searchProducts(ctx, args, info.selection),
  },
  Mutation: {
    saveProduct: (_, args, ctx, info) => saveProduct(ctx, args, info.selection),
    bulkUpdateProducts: (_, args, ctx) => bulkUpdateProducts(ctx, args),
    deleteProductList: (_, args, ctx) => deleteProductList(ctx, args),
    saveVariantPrices: (_, args, ctx) => saveVariantPrices(ctx, args),
    updateProduct: (_, args, ctx, info) => updateProduct(ctx, args, info.selection),
    updateProductSalesChannelStatus: (_, args, ctx) => updateProductSalesChannelStatus(ctx, args),
  },
} satisfies DomainResolvers;
