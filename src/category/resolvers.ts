import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteCategoryList } from './deleteCategoryList.ts';
import { listCategory } from './listCategory.ts';
import { categoryPage } from './categoryPage.ts';
import { saveCategory } from './saveCategory.ts';

export const categoryResolvers = {
  Query: {
    listCategory: (_, args, ctx, info) => listCategory(ctx, args, info.selection),
    categoryPage: (_, args, ctx, info) => categoryPage(ctx, args, info.selection),
  },
  Mutation: {
    saveCategory: (_, args, ctx, info) => saveCategory(ctx, args, info.selection),
    deleteCategoryList: (_, args, ctx) => deleteCategoryList(ctx, args),
  },
} satisfies DomainResolvers;
