import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteVariantTypeList } from './deleteVariantTypeList.ts';
import { listVariantType } from './listVariantType.ts';
import { variantTypePage } from './variantTypePage.ts';
import { saveVariantType } from './saveVariantType.ts';

export const variantTypeResolvers = {
  Query: {
    listVariantType: (_, args, ctx, info) => listVariantType(ctx, args, info.selection),
    variantTypePage: (_, args, ctx, info) => variantTypePage(ctx, args, info.selection),
  },
  Mutation: {
    saveVariantType: (_, args, ctx, info) => saveVariantType(ctx, args, info.selection),
    deleteVariantTypeList: (_, args, ctx) => deleteVariantTypeList(ctx, args),
  },
} satisfies DomainResolvers;
