import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { getMerchant } from './getMerchant.ts';

export const merchantResolvers = {
  Query: {
    getMerchant: (_, __, ctx, info) => getMerchant(ctx, selection(info)),
  },
} satisfies DomainResolvers;
