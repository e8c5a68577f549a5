import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { getChange } from './getChange.ts';
import { listChange } from './listChange.ts';

export const changeResolvers = {
  Query: {
    listChange: (_, args, ctx, info) => listChange(ctx, args, info.selection),
    getChange: (_, args, ctx, info) => getChange(ctx, args, info.selection),
  },
} satisfies DomainResolvers;
