import type { DomainResolvers } from '../graphql/domain-resolvers.ts';
import { selection } from '../graphql/selection.ts';
import { deleteProductList } from './deleteProductList.ts';
import { listProduct } from './listProduct.ts';
import { saveProduct } from './saveProduct.ts';

export const productResolvers = {
  Query: {
    listProduct: (_, args, ctx, info) => listProduct(ctx, args, selection(info)),
  },
  Mutation: {
    saveProduct: (_, args, ctx, info) => saveProduct(ctx, args, selection(info)),
    deleteProductList: (_, args, ctx) => deleteProductList(ctx, args),
  },
} satisfies DomainResolvers;
