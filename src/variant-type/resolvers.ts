import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { deleteVariantTypeList } from './deleteVariantTypeList.ts';
import { listVariantType } from './listVariantType.ts';
import { variantTypePage } from './variantTypePage.ts';
import { saveVariantType } from './saveVariantType.ts';

export const variantTypeResolvers = {
  Query: {
    listVariantType: (_, args, ctx, info) => listVariantType(ctx, args, selection(info)),
    variantTypePage: (_, args, ctx, info) => variantTypePage(ctx, args, selection(info)),
  },
  Mutation: {
    saveVariantType: (_, args, ctx, info) => saveVariantType(ctx, args, selection(info)),
    deleteVariantTypeList: (_, args, ctx) => deleteVariantTypeList(ctx, args),
  },
} satisfies DomainResolvers;
