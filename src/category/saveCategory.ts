import { and, asc, eq } from 'drizzle-orm';
import { category, categorySalesChannel } from '../../drizzle/category.ts';
import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { lockRecord } from '../db/lock.ts';
import { readRecord } from '../db/read.ts';
import { checkReferences } from '../db/reference.ts';
import type { Selection } from '../db/shape.ts';
import { of } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { replaceRows, upsertRows } from '../db/write.ts';
import { parseInput, sent } from '../field-input.ts';
import type { Category, MutationSaveCategoryArgs } from '../graphql/types.generated.ts';
import { saveMetaData } from '../meta-data/saveMetaData.ts';
import { categoryInput, type CategoryInput } from './category-input.ts';
import { lockTree, moveSubcategories, pathBelow } from './category-path.ts';
import { categoryShape } from './category.ts';

export async function saveCategory(ctx: Context, args: MutationSaveCategoryArgs, selection: Selection): Promise<Category> {
  const { id: sentId, parentId, metaData, salesChannelIds, salesChannels, ...members } = parseInput(categoryInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    if (parentId !== undefined) await lockTree(ctx);
    const stored = sentId === undefined ? newCategory() : await lockRecord(ctx, category, 'Category', sentId);
    const place = parentId === undefined || parentId === stored.parentId ? {} : { parentId, path: await pathBelow(ctx, parentId) };
    if (sentId !== undefined && place.path) await moveSubcategories(ctx, stored, place.path);
    const row = { ...stored, ...sent(members), ...place, deleted: members.deleted ?? stored.deleted };
    await upsertRows(ctx, category, ['id'], [row]);
    await saveMetaData(ctx, 'CATEGORY', [{ targetId: row.id, name: row.name, metaData }]);
    await saveSalesChannels(ctx, row.id, { salesChannelIds, salesChannels });
    return await readRecord(ctx, categoryShape, row.id, selection);
  });
}

function newCategory() {
  return {
    id: newId(),
    parentId: null,
    path: [] as string[],
    conditions: null,
    description: null,
    imageId: null,
    isAutomated: null,
    orderType: null,
    shouldMatchAllConditions: null,
    translations: null,
    deleted: false,
  };
}

type ChannelLists = Pick<CategoryInput, 'salesChannelIds' | 'salesChannels'>;

/** Two lists in one row a channel; a list that is not sent stays as it is stored. */
async function saveSalesChannels(ctx: Context, categoryId: string, lists: ChannelLists): Promise<void> {
  if (lists.salesChannelIds === undefined && lists.salesChannels === undefined) return;
  const stored = await storedSalesChannels(ctx, categoryId);
  await checkSalesChannels(ctx, lists, new Set(stored.map(({ salesChannelId }) => salesChannelId)));
  const storedIds = stored.filter(({ listed }) => listed).map(({ salesChannelId }) => salesChannelId);
  const storedStatuses = stored.map(({ salesChannelId, status }) => [salesChannelId, status] as const);
  const ids = new Set(lists.salesChannelIds === undefined ? storedIds : lists.salesChannelIds);
  const statuses = new Map(lists.salesChannels === undefined ? storedStatuses : lists.salesChannels?.map(({ id, status }) => [id, status]));
  await replaceRows(ctx, categorySalesChannel, {
    parent: 'categoryId',
    parentIds: [categoryId],
    key: ['categoryId', 'salesChannelId'],
    rows: [...new Set([...ids, ...statuses.keys()])]
      .map((id) => ({ categoryId, salesChannelId: id, listed: ids.has(id), status: statuses.get(id) ?? null }))
      .filter(({ listed, status }) => listed || status !== null)
      .map((row, position) => ({ ...row, position })),
  });
}

async function storedSalesChannels(ctx: Context, categoryId: string) {
  return await ctx.db
    .select()
    .from(categorySalesChannel)
    .where(and(of(ctx, categorySalesChannel), eq(categorySalesChannel.categoryId, categoryId)))
    .orderBy(asc(categorySalesChannel.position));
}

async function checkSalesChannels(ctx: Context, { salesChannelIds, salesChannels }: ChannelLists, stored: Set<string>): Promise<void> {
  const ids = [
    ...(salesChannelIds ?? []).map((id, index) => ({ id, path: ['input', 'salesChannelIds', index] })),
    ...(salesChannels ?? []).map(({ id }, index) => ({ id, path: ['input', 'salesChannels', index, 'id'] })),
  ];
  await checkReferences(ctx, [{ table: salesChannel, type: 'SalesChannel', stored, ids }]);
}
