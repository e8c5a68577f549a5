import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteProductTagList } from './deleteProductTagList.ts';
import { listProductTag } from './listProductTag.ts';
import { productTagPage } from './productTagPage.ts';
import { saveProductTag } from './saveProductTag.ts';

export const tagResolvers = {
  Query: {
    listProductTag: (_, args, ctx, info) => listProductTag(ctx, args, info.selection),
    productTagPage: (_, args, ctx, info) => productTagPage(ctx, args, info.selection),
  },
  Mutation: {
    saveProductTag: (_, args, ctx, info) => saveProductTag(ctx, args, info.selection),
    deleteProductTagList: (_, args, ctx) => deleteProductTagList(ctx, args),
  },
} satisfies DomainResolvers;
