import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteProductAttributeList } from './deleteProductAttributeList.ts';
import { listProductAttribute } from './listProductAttribute.ts';
import { productAttributePage } from './productAttributePage.ts';
import { saveProductAttribute } from './saveProductAttribute.ts';

export const attributeResolvers = {
  Query: {
    listProductAttribute: (_, args, ctx, info) => listProductAttribute(ctx, args, info.selection),
    productAttributePage: (_, args, ctx, info) => productAttributePage(ctx, args, info.selection),
  },
  Mutation: {
    saveProductAttribute: (_, args, ctx, info) => saveProductAttribute(ctx, args, info.selection),
    deleteProductAttributeList: (_, args, ctx) => deleteProductAttributeList(ctx, args),
  },
} satisfies DomainResolvers;
