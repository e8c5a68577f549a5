import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { getMerchant } from './getMerchant.ts';

export const merchantResolvers = {
  Query: {
    getMerchant: (_, __, ctx, info) => getMerchant(ctx, info.selection),
  },
} satisfies DomainResolvers;
