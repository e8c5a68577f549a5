import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteSalesChannelList } from './deleteSalesChannelList.ts';
import { getSalesChannel } from './getSalesChannel.ts';
import { listSalesChannel } from './listSalesChannel.ts';
import { salesChannelPage } from './salesChannelPage.ts';
import { saveSalesChannel } from './saveSalesChannel.ts';

export const salesChannelResolvers = {
  Query: {
    getSalesChannel: (_, __, ctx, info) => getSalesChannel(ctx, info.selection),
    listSalesChannel: (_, args, ctx, info) => listSalesChannel(ctx, args, info.selection),
    salesChannelPage: (_, args, ctx, info) => salesChannelPage(ctx, args, info.selection),
  },
  Mutation: {
    saveSalesChannel: (_, args, ctx, info) => saveSalesChannel(ctx, args, info.selection),
    deleteSalesChannelList: (_, args, ctx) => deleteSalesChannelList(ctx, args),
  },
} satisfies DomainResolvers;
