import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { deleteSalesChannelList } from './deleteSalesChannelList.ts';
import { getSalesChannel } from './getSalesChannel.ts';
import { listSalesChannel } from './listSalesChannel.ts';
import { salesChannelPage } from './salesChannelPage.ts';
import { saveSalesChannel } from './saveSalesChannel.ts';

export const salesChannelResolvers = {
  Query: {
    getSalesChannel: (_, __, ctx, info) => getSalesChannel(ctx, selection(info)),
    listSalesChannel: (_, args, ctx, info) => listSalesChannel(ctx, args, selection(info)),
    salesChannelPage: (_, args, ctx, info) => salesChannelPage(ctx, args, selection(info)),
  },
  Mutation: {
    saveSalesChannel: (_, args, ctx, info) => saveSalesChannel(ctx, args, selection(info)),
    deleteSalesChannelList: (_, args, ctx) => deleteSalesChannelList(ctx, args),
  },
} satisfies DomainResolvers;
