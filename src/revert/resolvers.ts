import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { revertChanges } from './revertChanges.ts';

export const revertResolvers = {
  Mutation: {
    revertChanges: (_, args, ctx) => revertChanges(ctx, args),
  },
} satisfies DomainResolvers;
