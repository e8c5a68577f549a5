import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/execute/selection.ts';
import { getAuthorizedApp } from './getAuthorizedApp.ts';
import { me } from './me.ts';

export const appResolvers = {
  Query: {
    getAuthorizedApp: (_, __, ctx, info) => getAuthorizedApp(ctx, selection(info)),
    me: (_, __, ctx) => me(ctx),
  },
} satisfies DomainResolvers;
