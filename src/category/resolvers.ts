import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { deleteCategoryList } from './deleteCategoryList.ts';
import { listCategory } from './listCategory.ts';
import { categoryPage } from './categoryPage.ts';
import { saveCategory } from './saveCategory.ts';

export const categoryResolvers = {
  Query: {
    listCategory: (_, args, ctx, info) => listCategory(ctx, args, selection(info)),
    categoryPage: (_, args, ctx, info) => categoryPage(ctx, args, selection(info)),
  },
  Mutation: {
    saveCategory: (_, args, ctx, info) => saveCategory(ctx, args, selection(info)),
    deleteCategoryList: (_, args, ctx) => deleteCategoryList(ctx, args),
  },
} satisfies DomainResolvers;
