import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { deleteProductTagList } from './deleteProductTagList.ts';
import { listProductTag } from './listProductTag.ts';
import { productTagPage } from './productTagPage.ts';
import { saveProductTag } from './saveProductTag.ts';

export const tagResolvers = {
  Query: {
    listProductTag: (_, args, ctx, info) => listProductTag(ctx, args, selection(info)),
    productTagPage: (_, args, ctx, info) => productTagPage(ctx, args, selection(info)),
  },
  Mutation: {
    saveProductTag: (_, args, ctx, info) => saveProductTag(ctx, args, selection(info)),
    deleteProductTagList: (_, args, ctx) => deleteProductTagList(ctx, args),
  },
} satisfies DomainResolvers;
