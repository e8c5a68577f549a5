import { buildASTSchema, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { compiledProjection } from '../../../src/db/read/compile.ts';
import type { Projection, Selection } from '../../../src/db/read/projection.ts';
import { newId } from '../../../src/db/sql/id.ts';
import type { QueryListProductArgs } from '../../../src/graphql/generated/types.ts';
import { parseSdl, readSources } from '../../../src/graphql/schema/sdl.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { shownProduct } from '../../../src/product/product.ts';
import { listProductStockLocation } from '../../../src/stock/listProductStockLocation.ts';
import { productStockLocationProjection } from '../../../src/stock/product-stock-location.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const FIRST_MS = Date.UTC(2026, 0, 1);
const schema = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true });
const filterNames = schema
  .getQueryType()!
  .getFields()
  ['listProduct']!.args.flatMap(({ name, type }) => {
    const filter = getNamedType(type);
    return isInputObjectType(filter) && filter.name !== 'PaginationInput' ? [name as keyof QueryListProductArgs] : [];
  });

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** A condition with values that differ from call to call. */
function conditionOf(name: string, call: number): object {
  if (name === 'price') return { gte: call + 0.25, priceListId: newId() };
  if (name === 'stock') return { inStock: true, stockLocationIds: [newId()] };
  if (name === 'type') return { in: ['PHYSICAL', 'DIGITAL'].slice(call % 2) };
  if (name.endsWith('At')) return { gte: FIRST_MS + call };
  return { in: [newId(), newId()], nin: [newId()] };
}

function keptTexts(type: Projection<never, never>, selection: Selection): string[] {
  return [...compiledProjection(ctx, type, selection).statements].flat();
}

describe('the texts that are kept with a selection', () => {
  it.each(filterNames)('have no values of the filter %s of listProduct', async (name) => {
    const selection = { data: { id: {} }, count: {} };
    const list = async (call: number) =>
      await listProduct(ctx, { [name]: conditionOf(name, call), includeDeleted: true }, selection);
    await list(0);
    const kept = keptTexts(shownProduct(ctx) as never, selection.data);
    await list(1);
    expect(keptTexts(shownProduct(ctx) as never, selection.data)).toEqual(kept);
  });

  it('have no time of listProductStockLocation', async () => {
    const selection = { data: { id: {} }, count: {} };
    const list = async (gt: number) => await listProductStockLocation(ctx, { updatedAt: { gt } }, selection as never);
    await list(FIRST_MS);
    const kept = keptTexts(productStockLocationProjection as never, selection.data);
    await list(FIRST_MS + 1);
    expect(keptTexts(productStockLocationProjection as never, selection.data)).toEqual(kept);
  });
});
