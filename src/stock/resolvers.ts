import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
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
    listStockLocation: (_, args, ctx, info) => listStockLocation(ctx, args, info.selection),
    stockLocationPage: (_, args, ctx, info) => stockLocationPage(ctx, args, info.selection),
    listProductStockLocation: (_, args, ctx, info) => listProductStockLocation(ctx, args, info.selection),
    listStockMovement: (_, args, ctx, info) => listStockMovement(ctx, args, info.selection),
    listStockHold: (_, args, ctx, info) => listStockHold(ctx, args, info.selection),
  },
  Mutation: {
    saveStockLocation: (_, args, ctx, info) => saveStockLocation(ctx, args, info.selection),
    deleteStockLocationList: (_, args, ctx) => deleteStockLocationList(ctx, args),
    saveProductStockLocations: (_, args, ctx) => saveProductStockLocations(ctx, args),
    adjustStock: (_, args, ctx, info) => adjustStock(ctx, args, info.selection),
    moveStock: (_, args, ctx, info) => moveStock(ctx, args, info.selection),
    holdStock: (_, args, ctx, info) => holdStock(ctx, args, info.selection),
    commitHold: (_, args, ctx) => commitHold(ctx, args),
    releaseHold: (_, args, ctx) => releaseHold(ctx, args),
    extendHold: (_, args, ctx) => extendHold(ctx, args),
  },
} satisfies DomainResolvers;
