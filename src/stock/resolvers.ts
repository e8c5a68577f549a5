import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { adjustStock } from './adjustStock.ts';
import { listStockMovement } from './listStockMovement.ts';
import { moveStock } from './moveStock.ts';
import { commitHold } from './commitHold.ts';
import { extendHold } from './extendHold.ts';
import { holdStock } from './holdStock.ts';
import { listStockHold } from './listStockHold.ts';
import { releaseHold } from './releaseHold.ts';
import { deleteStockLocationList } from './deleteStockLocationList.ts';
import { listProductStockLocation } from './listProductStockLocation.ts';
import { listStockLocation } from './listStockLocation.ts';
import { stockLocationPage } from './stockLocationPage.ts';
import { saveProductStockLocations } from './saveProductStockLocations.ts';
import { saveStockLocation } from './saveStockLocation.ts';

export const stockResolvers = {
  Query: {
    listStockLocation: (_, args, ctx, info) => listStockLocation(ctx, args, selection(info)),
    stockLocationPage: (_, args, ctx, info) => stockLocationPage(ctx, args, selection(info)),
    listProductStockLocation: (_, args, ctx, info) => listProductStockLocation(ctx, args, selection(info)),
    listStockMovement: (_, args, ctx, info) => listStockMovement(ctx, args, selection(info)),
    listStockHold: (_, args, ctx, info) => listStockHold(ctx, args, selection(info)),
  },
  Mutation: {
    saveStockLocation: (_, args, ctx, info) => saveStockLocation(ctx, args, selection(info)),
    deleteStockLocationList: (_, args, ctx) => deleteStockLocationList(ctx, args),
    saveProductStockLocations: (_, args, ctx) => saveProductStockLocations(ctx, args),
    adjustStock: (_, args, ctx, info) => adjustStock(ctx, args, selection(info)),
    moveStock: (_, args, ctx, info) => moveStock(ctx, args, selection(info)),
    holdStock: (_, args, ctx, info) => holdStock(ctx, args, selection(info)),
    commitHold: (_, args, ctx) => commitHold(ctx, args),
    releaseHold: (_, args, ctx) => releaseHold(ctx, args),
    extendHold: (_, args, ctx) => extendHold(ctx, args),
  },
} satisfies DomainResolvers;
