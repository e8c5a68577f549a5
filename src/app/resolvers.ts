import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { getAuthorizedApp } from './getAuthorizedApp.ts';
import { listAccessToken } from './listAccessToken.ts';
import { listAuthorizedApp } from './listAuthorizedApp.ts';
import { me } from './me.ts';
import { revokeAccessTokenList } from './revokeAccessTokenList.ts';
import { revokeAuthorizedApp } from './revokeAuthorizedApp.ts';

export const appResolvers = {
  Query: {
    getAuthorizedApp: (_, __, ctx, info) => getAuthorizedApp(ctx, info.selection),
    listAccessToken: (_, args, ctx, info) => listAccessToken(ctx, args, info.selection),
    listAuthorizedApp: (_, args, ctx, info) => listAuthorizedApp(ctx, args, info.selection),
    me: (_, __, ctx) => me(ctx),
  },
  Mutation: {
    revokeAccessTokenList: (_, args, ctx) => revokeAccessTokenList(ctx, args),
    revokeAuthorizedApp: (_, args, ctx) => revokeAuthorizedApp(ctx, args),
  },
} satisfies DomainResolvers;
