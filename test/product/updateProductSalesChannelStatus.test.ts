import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { updateProductSalesChannelStatus } from '../../src/product/updateProductSalesChannelStatus.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allOfProduct, plainProduct, productSaver } from './products.ts';

let database: TestDatabase;
let ctx: Context;
let channel: string;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  channel = (await saveSalesChannel(ctx, { input: { name: 'Web', type: 'STOREFRONT' } }, { id: {} })).id;
});
afterAll(() => database.drop());

const read = async (id: string) => (await listProduct(ctx, { id: { eq: id } }, { data: allOfProduct })).data[0]!;

describe('updateProductSalesChannelStatus', () => {
  it('moves the channel between the two lists and updates its settings', async () => {
    const product = await productSaver(ctx)({
      ...plainProduct('p'),
      salesChannels: [{ id: channel, status: 'HIDDEN', maxQuantityPerCart: 2 }],
    });
    const other = await productSaver(ctx)(plainProduct('o'));
    const change = (active: boolean) =>
      updateProductSalesChannelStatus(ctx, {
        salesChannelId: channel,
        input: [
          { productId: product.id, active },
          { productId: other.id, active: !active },
        ],
      });
    await expect(change(true)).resolves.toBe(true);
    expect(await read(product.id)).toMatchObject({
      salesChannelIds: [channel],
      hiddenSalesChannelIds: [],
      salesChannels: [{ status: 'VISIBLE', maxQuantityPerCart: 2 }],
    });
    expect(await read(other.id)).toMatchObject({
      salesChannelIds: [],
      hiddenSalesChannelIds: [channel],
      salesChannels: [],
    });
    await change(false);
    expect(await read(product.id)).toMatchObject({
      salesChannelIds: [],
      hiddenSalesChannelIds: [channel],
      salesChannels: [{ status: 'HIDDEN' }],
    });
  });

  it('leaves a channel PASSIVE when the product is made inactive, and makes it VISIBLE when it is made active', async () => {
    const settings = { id: channel, status: 'PASSIVE' as const, maxQuantityPerCart: 2 };
    const { id: productId } = await productSaver(ctx)({ ...plainProduct('p'), salesChannels: [settings] });
    const change = (active: boolean) =>
      updateProductSalesChannelStatus(ctx, { salesChannelId: channel, input: [{ productId, active }] });
    const before = await read(productId);
    await change(false);
    expect(await read(productId)).toEqual(before);
    await change(true);
    expect(await read(productId)).toMatchObject({
      salesChannelIds: [channel],
      hiddenSalesChannelIds: [],
      salesChannels: [{ ...settings, status: 'VISIBLE' }],
    });
  });

  it('removes a PASSIVE channel from the lists in which it is shown', async () => {
    const { id: productId } = await productSaver(ctx)({
      ...plainProduct('p'),
      salesChannelIds: [channel],
      salesChannels: [{ id: channel, status: 'PASSIVE' }],
    });
    await updateProductSalesChannelStatus(ctx, { salesChannelId: channel, input: [{ productId, active: false }] });
    expect(await read(productId)).toMatchObject({
      salesChannelIds: [],
      hiddenSalesChannelIds: [],
      salesChannels: [{ status: 'PASSIVE' }],
    });
  });

  it('changes nothing of a product that has the status, and other settings keep their order', async () => {
    const other = (await saveSalesChannel(ctx, { input: { name: 'Shop', type: 'POS' } }, { id: {} })).id;
    const salesChannels = [
      { id: other, status: 'PASSIVE' as const, quantitySettings: [1.5, 100] },
      { id: channel, status: 'HIDDEN' as const, minQuantityPerCart: 1 },
    ];
    const { id: productId } = await productSaver(ctx)({
      ...plainProduct('p'),
      salesChannels,
      salesChannelIds: [other],
    });
    const change = (active: boolean) =>
      updateProductSalesChannelStatus(ctx, { salesChannelId: channel, input: [{ productId, active }] });
    for (const [active, status] of [[true, 'VISIBLE'] as const, [false, 'HIDDEN'] as const]) {
      const { version } = await read(productId);
      await change(active);
      const changed = await read(productId);
      expect(changed).toMatchObject({
        version: version + 1,
        salesChannelIds: active ? [other, channel] : [other],
        salesChannels: [salesChannels[0], { ...salesChannels[1], status }],
      });
      await change(active);
      expect(await read(productId)).toEqual(changed);
    }
  });

  it("uses the app's own channel by default, and names the argument if it has none", async () => {
    const { id: productId } = await productSaver(ctx)(plainProduct('p'));
    const change = () => updateProductSalesChannelStatus(ctx, { input: [{ productId, active: true }] });
    await expect(change()).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['salesChannelId'] }] },
    });
    await database.db.execute(
      sql`update authorized_app set sales_channel_id = ${channel} where merchant_id = ${ctx.merchantId}`,
    );
    await expect(change()).resolves.toBe(true);
    expect(await read(productId)).toMatchObject({ salesChannelIds: [channel] });
  });

  it('changes nothing for an unknown product or channel', async () => {
    const { id: productId } = await productSaver(ctx)(plainProduct('p'));
    const change = (salesChannelId: string, ...ids: string[]) =>
      updateProductSalesChannelStatus(ctx, {
        salesChannelId,
        input: ids.map((id) => ({ productId: id, active: true })),
      });
    await expect(change(channel, productId, newId())).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Product', path: ['input', 1, 'productId'] },
    });
    await expect(change('x', productId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', ids: ['x'], path: ['salesChannelId'] },
    });
    await expect(change(channel, productId, productId)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 1, 'productId'] }] },
    });
    expect(await read(productId)).toMatchObject({ salesChannelIds: [] });
  });
});
