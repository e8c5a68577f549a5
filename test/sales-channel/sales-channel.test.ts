import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deletePriceListList } from '../../src/price-list/deletePriceListList.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { deleteSalesChannelList } from '../../src/sales-channel/deleteSalesChannelList.ts';
import { getSalesChannel } from '../../src/sales-channel/getSalesChannel.ts';
import { listSalesChannel } from '../../src/sales-channel/listSalesChannel.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { deleteStockLocationList } from '../../src/stock/deleteStockLocationList.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  type: {},
  priceListId: {},
  stockLocations: { id: {}, order: {} },
  paymentGateways: { id: {}, order: {} },
  createdAt: {},
  updatedAt: {},
  deleted: {},
};

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('getSalesChannel', () => {
  it('returns the channel of the calling app, also when it is deleted', async () => {
    const { id } = await saveSalesChannel(ctx, { input: { name: 'Own', type: 'APP' } }, all);
    await saveSalesChannel(ctx, { input: { name: 'Other', type: 'APP' } }, all);
    await worksFor(ctx, id);
    expect(await getSalesChannel(ctx, all)).toMatchObject({ id, name: 'Own', type: 'APP', deleted: false });
    await deleteSalesChannelList(ctx, { idList: [id] });
    expect(await getSalesChannel(ctx, { id: {}, deleted: {} })).toEqual({ id, deleted: true });
    await worksFor(ctx, null);
  });

  it("is null for an app without a channel, and never another merchant's", async () => {
    expect(await getSalesChannel(stranger, all)).toBeNull();
    const { id } = await saveSalesChannel(ctx, { input: { name: 'Foreign', type: 'APP' } }, all);
    await worksFor(stranger, id);
    expect(await getSalesChannel(stranger, all)).toBeNull();
  });
});

describe('saveSalesChannel', () => {
  it('creates a channel with its price list, stock locations and gateways in the order sent', async () => {
    const [priceListId, near, far] = [await priceList(ctx), await stockLocation(ctx), await stockLocation(ctx)];
    const channel = await saveSalesChannel(
      ctx,
      {
        input: {
          name: ' Web ',
          type: 'STOREFRONT',
          priceListId,
          stockLocations: [
            { id: far, order: 2 },
            { id: near, order: 0.1 },
          ],
          paymentGateways: [{ id: 'card "one"', order: 1 }],
        },
      },
      all,
    );
    expect(channel).toMatchObject({
      name: 'Web',
      type: 'STOREFRONT',
      priceListId,
      stockLocations: [
        { id: far, order: 2 },
        { id: near, order: 0.1 },
      ],
      paymentGateways: [{ id: 'card "one"', order: 1 }],
      deleted: false,
    });
  });

  it('keeps what is left out, clears what is null and replaces a list that is sent', async () => {
    const [priceListId, first, second] = [await priceList(ctx), await stockLocation(ctx), await stockLocation(ctx)];
    const base = { name: 'Keep', type: 'POS' } as const;
    const gateways = [{ id: 'cash', order: 0 }];
    const { id } = await save({
      ...base,
      priceListId,
      stockLocations: [{ id: first, order: 0 }],
      paymentGateways: gateways,
    });
    expect(await save({ ...base, id })).toMatchObject({
      priceListId,
      stockLocations: [{ id: first, order: 0 }],
      paymentGateways: gateways,
    });
    const replaced = await save({
      ...base,
      id,
      stockLocations: [
        { id: second, order: 1 },
        { id: first, order: 2 },
      ],
    });
    expect(replaced.stockLocations).toEqual([
      { id: second, order: 1 },
      { id: first, order: 2 },
    ]);
    const cleared = await save({ ...base, id, priceListId: null, stockLocations: null, paymentGateways: null });
    expect(cleared).toMatchObject({ priceListId: null, stockLocations: [], paymentGateways: null });
  });

  it('accepts a name twice', async () => {
    await save({ name: 'Twice', type: 'POS' });
    await expect(save({ name: 'Twice', type: 'POS' })).resolves.toMatchObject({ name: 'Twice' });
  });

  it.each([newId(), 'no id at all', ''])('answers NOT_FOUND for the unknown id %j', async (id) => {
    await expect(save({ id, name: 'x', type: 'POS' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', ids: [id], path: ['input', 'id'] },
    });
  });

  it('answers NOT_FOUND, with the path, for references to unknown or deleted records or those of another merchant', async () => {
    const [deletedList, deletedLocation] = [await priceList(ctx), await stockLocation(ctx)];
    await deletePriceListList(ctx, { idList: [deletedList] });
    await deleteStockLocationList(ctx, { idList: [deletedLocation] });
    for (const priceListId of [newId(), '', 'x', await priceList(stranger), deletedList]) {
      await expect(save({ name: 'x', type: 'POS', priceListId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'PriceList', ids: [priceListId], path: ['input', 'priceListId'] },
      });
    }
    const known = { id: await stockLocation(ctx), order: 0 };
    for (const id of [newId(), '', 'x', await stockLocation(stranger), deletedLocation]) {
      await expect(
        save({ name: 'Unborn', type: 'POS', stockLocations: [known, { id, order: 1 }] }),
      ).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'StockLocation', ids: [id], path: ['input', 'stockLocations', 1, 'id'] },
      });
    }
    expect(await listSalesChannel(ctx, { name: { eq: 'Unborn' } }, all)).toEqual([]);
  });

  it('changes nothing when sent back as it was read, also after its references were deleted', async () => {
    const [priceListId, location] = [await priceList(ctx), await stockLocation(ctx)];
    const before = await save({
      name: 'Round',
      type: 'APP',
      priceListId,
      stockLocations: [{ id: location, order: 0 }],
    });
    await deletePriceListList(ctx, { idList: [priceListId] });
    await deleteStockLocationList(ctx, { idList: [location] });
    expect(await saveSalesChannel(ctx, { input: before as never }, all)).toEqual(before);
  });

  it('names the invalid members', async () => {
    const location = { id: await stockLocation(ctx), order: 0 };
    const gateway = { id: 'cash', order: 0 };
    const input = {
      name: 'n'.repeat(256),
      type: 'POS' as const,
      stockLocations: [location, location],
      paymentGateways: [gateway, { id: 'a\0', order: 0 }, gateway],
    };
    await expect(save(input)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'stockLocations', 1, 'id'] },
          { path: ['input', 'paymentGateways', 1, 'id'] },
        ],
      },
    });
    await expect(
      save({ name: 'n'.repeat(255), type: 'POS', paymentGateways: [gateway, gateway] }),
    ).rejects.toMatchObject({
      extensions: { issues: [{ path: ['input', 'paymentGateways', 1, 'id'], message: 'must not occur twice' }] },
    });
    await expect(save({ name: '𝒏'.repeat(255), type: 'POS' })).resolves.toMatchObject({ deleted: false });
  });

  it('restores a deleted channel', async () => {
    const { id } = await save({ name: 'Back', type: 'POS', deleted: true });
    expect(await listSalesChannel(ctx, { id: { eq: id } }, all)).toEqual([]);
    await save({ id, name: 'Back', type: 'POS', deleted: false });
    expect(await listSalesChannel(ctx, { id: { eq: id } }, all)).toMatchObject([{ deleted: false }]);
  });
});

describe('listSalesChannel', () => {
  it("lists only the merchant's own channels, newest first, page by page", async () => {
    const own = await createContext(database.db);
    for (const name of ['a', 'b', 'c']) await saveSalesChannel(own, { input: { name, type: 'POS' } }, all);
    await saveSalesChannel(stranger, { input: { name: 'foreign', type: 'POS' } }, all);
    const names = async (args: object) => (await listSalesChannel(own, args, all)).map(({ name }) => name);
    expect((await names({})).sort()).toEqual(['a', 'b', 'c']);
    expect([
      ...(await names({ pagination: { limit: 2 } })),
      ...(await names({ pagination: { limit: 2, page: 2 } })),
    ]).toEqual(await names({}));
    expect(await names({ pagination: { limit: 2, page: 3 } })).toEqual([]);
  });

  it('filters by id, name and time of change', async () => {
    const own = await createContext(database.db);
    const saved: Record<string, string> = {};
    for (const name of ['Café', '10%', 'till'])
      saved[name] = (await saveSalesChannel(own, { input: { name, type: 'POS' } }, all)).id;
    const names = async (args: object) => (await listSalesChannel(own, args, all)).map(({ name }) => name).sort();
    expect(await names({ id: { in: [saved.till, newId(), 'x'] } })).toEqual(['till']);
    expect(await names({ name: { like: 'CAFE' } })).toEqual(['Café']);
    expect(await names({ name: { like: '%' } })).toEqual(['10%']);
    expect(await names({ name: { ne: 'till' } })).toEqual(['10%', 'Café']);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
    expect(await names({ updatedAt: { lt: Date.now() + 60_000 } })).toHaveLength(3);
  });

  it('refuses pages outside the limits', async () => {
    for (const pagination of [{ limit: 0 }, { limit: 201 }, { page: 0 }]) {
      await expect(listSalesChannel(ctx, { pagination }, all)).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
      });
    }
    await expect(listSalesChannel(ctx, { pagination: { limit: 200 } }, all)).resolves.toBeInstanceOf(Array);
  });
});

describe('deleteSalesChannelList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await save({ name: 'Mine', type: 'POS' });
    const foreign = await saveSalesChannel(stranger, { input: { name: 'Foreign', type: 'POS' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteSalesChannelList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'SalesChannel', ids: [unknown] },
      });
    }
    expect(await listSalesChannel(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteSalesChannelList(ctx, { idList: [id] })).resolves.toBe(true);
    await expect(deleteSalesChannelList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listSalesChannel(ctx, { id: { eq: id } }, all)).toEqual([]);
    expect(await listSalesChannel(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([
      { deleted: true },
    ]);
    expect(await listSalesChannel(stranger, { id: { eq: foreign.id } }, all)).toHaveLength(1);
  });
});

function save(input: Parameters<typeof saveSalesChannel>[1]['input']) {
  return saveSalesChannel(ctx, { input }, all);
}

async function priceList(owner: Context): Promise<string> {
  return (await savePriceList(owner, { input: { name: 'List', currency: 'EUR' } }, { id: {} })).id;
}

async function stockLocation(owner: Context): Promise<string> {
  return (await saveStockLocation(owner, { input: { name: 'Warehouse' } }, { id: {} })).id;
}

async function worksFor({ db, session }: Context, salesChannelId: string | null): Promise<void> {
  await db.execute(sql`
    update authorized_app set sales_channel_id = ${salesChannelId}
    where merchant_id = ${session.merchantId} and id = ${session.authorizedAppId}`);
}
