import { category, type StoredCategoryChannel } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { Category, MutationSaveCategoryArgs } from '../graphql/generated/types.ts';
import { preparePageMetadata } from '../page-metadata/save-page-metadata.ts';
import { automatedCategoryLimit } from './automated-category-limit.ts';
import { conditionCheck } from './category-conditions.ts';
import { categoryInput, type CategoryInput } from './generated/category-input.ts';
import { categoryReferences } from './generated/category-references.ts';
import { lockCategoryTree, moveSubcategories, childPath } from './category-path.ts';
import { categoryProjection } from './category.ts';

const references = referenceWalk(categoryReferences.CategoryInput);
const newCategory = newRowOf(category);

export async function saveCategory(
  ctx: Context,
  args: MutationSaveCategoryArgs,
  selection: Selection,
): Promise<Category> {
  const {
    id: sentId,
    parentId,
    metaData,
    salesChannelIds,
    salesChannels,
    ...members
  } = parseInput(categoryInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    if (parentId !== undefined) await lockCategoryTree(ctx);
    const stored = sentId === undefined ? newCategory() : await lockRecord(ctx, category, 'Category', sentId);
    const move =
      parentId === undefined || parentId === stored.parentId ? {} : { parentId, path: await childPath(ctx, parentId) };
    if (sentId !== undefined && move.path) await moveSubcategories(ctx, stored, move.path);
    const checks = [
      ...recordReferenceCheck(ctx, references, { ...members, salesChannelIds, salesChannels }, stored),
      ...conditionCheck(ctx, members.conditions, stored.conditions),
    ];
    const channels = mergeSalesChannels({ salesChannelIds, salesChannels }, stored);
    const row = {
      ...stored,
      ...withoutUndefined(members),
      ...move,
      ...channels,
      deleted: members.deleted ?? stored.deleted,
    };
    const isNew = sentId === undefined;
    checks.push(...automatedCategoryLimit(ctx, row, stored));
    // Set before the commit. If the transaction is rolled back, reads look for such categories in vain, nothing else.
    if (row.isAutomated) ctx.session.hasAutomatedCategories = true;
    const page = await preparePageMetadata(ctx, 'CATEGORY', [{ targetId: row.id, name: row.name, isNew, metaData }]);
    const write = recordWrite(ctx, category, row, {
      stored: isNew ? null : stored,
      arePartsChanged: page.changed.has(row.id),
    });
    const read = readRecordStep(ctx, categoryProjection, row.id, selection);
    const saved = await pipeline(ctx, [...checks, ...write, ...page.steps, read]);
    return (await page.assignSlugs()) ? await pipeline(ctx, [read]) : saved;
  });
}

type SentChannels = Pick<CategoryInput, 'salesChannelIds' | 'salesChannels'>;
type StoredChannels = { salesChannelIds: string[]; salesChannels: StoredCategoryChannel[] | null };

/** A list that is not sent is kept. */
function mergeSalesChannels({ salesChannelIds, salesChannels }: SentChannels, stored: StoredChannels): StoredChannels {
  const channels = salesChannels === undefined ? stored.salesChannels : salesChannels;
  return {
    salesChannelIds: salesChannelIds === undefined ? stored.salesChannelIds : [...new Set(salesChannelIds)],
    salesChannels: channels?.length ? channels : null,
  };
}
