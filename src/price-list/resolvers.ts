import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deletePriceListList } from './deletePriceListList.ts';
import { listPriceList } from './listPriceList.ts';
import { priceListPage } from './priceListPage.ts';
import { savePriceList } from './savePriceList.ts';

export const priceListResolvers = {
  Query: {
    listPriceList: (_, args, ctx, info) => listPriceList(ctx, args, info.selection),
    priceListPage: (_, args, ctx, info) => priceListPage(ctx, args, info.selection),
  },
  Mutation: {
    savePriceList: (_, args, ctx, info) => savePriceList(ctx, args, info.selection),
    deletePriceListList: (_, args, ctx) => deletePriceListList(ctx, args),
  },
} satisfies DomainResolvers;
