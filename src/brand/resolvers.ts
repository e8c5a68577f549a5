import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteProductBrandList } from './deleteProductBrandList.ts';
import { listProductBrand } from './listProductBrand.ts';
import { productBrandPage } from './productBrandPage.ts';
import { saveProductBrand } from './saveProductBrand.ts';

export const brandResolvers = {
  Query: {
    listProductBrand: (_, args, ctx, info) => listProductBrand(ctx, args, info.selection),
    productBrandPage: (_, args, ctx, info) => productBrandPage(ctx, args, info.selection),
  },
  Mutation: {
    saveProductBrand: (_, args, ctx, info) => saveProductBrand(ctx, args, info.selection),
    deleteProductBrandList: (_, args, ctx) => deleteProductBrandList(ctx, args),
  },
} satisfies DomainResolvers;
