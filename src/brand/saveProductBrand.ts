import { productBrand, productBrandSalesChannel } from '../../drizzle/brand.ts';
import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { lockRecord } from '../db/lock.ts';
import { readRecord } from '../db/read.ts';
import { checkReferences, storedIds } from '../db/reference.ts';
import type { Selection } from '../db/shape.ts';
import { inTransaction } from '../db/transaction.ts';
import { replaceRows, upsertRows } from '../db/write.ts';
import { parseInput, sent } from '../field-input.ts';
import type { MutationSaveProductBrandArgs, ProductBrand } from '../graphql/types.generated.ts';
import { saveMetaData } from '../meta-data/saveMetaData.ts';
import { brandInput, type BrandInput } from './brand-input.ts';
import { brandShape } from './brand.ts';

export async function saveProductBrand(ctx: Context, args: MutationSaveProductBrandArgs, selection: Selection): Promise<ProductBrand> {
  const { id: sentId, metaData, salesChannelIds, ...members } = parseInput(brandInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newBrand() : await lockRecord(ctx, productBrand, 'ProductBrand', sentId);
    const row = { ...stored, ...sent(members), deleted: members.deleted ?? stored.deleted };
    await upsertRows(ctx, productBrand, ['id'], [row]);
    await saveMetaData(ctx, 'BRAND', [{ targetId: row.id, name: row.name, metaData }]);
    if (salesChannelIds !== undefined) await saveSalesChannels(ctx, row.id, salesChannelIds);
    return await readRecord(ctx, brandShape, row.id, selection);
  });
}

function newBrand() {
  return { id: newId(), description: null, imageId: null, orderType: null, translations: null, deleted: false };
}

async function saveSalesChannels(ctx: Context, brandId: string, sentIds: BrandInput['salesChannelIds']): Promise<void> {
  const ids = [...new Set(sentIds ?? [])];
  const stored = await storedIds(ctx, productBrandSalesChannel, 'salesChannelId', 'brandId', brandId);
  await checkReferences(ctx, [
    { table: salesChannel, type: 'SalesChannel', stored, ids: ids.map((id, index) => ({ id, path: ['input', 'salesChannelIds', index] })) },
  ]);
  await replaceRows(ctx, productBrandSalesChannel, {
    parent: 'brandId',
    parentIds: [brandId],
    key: ['brandId', 'salesChannelId'],
    rows: ids.map((salesChannelId, position) => ({ brandId, salesChannelId, position })),
  });
}
