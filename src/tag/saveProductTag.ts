import { productTag } from '../../drizzle/tag.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveProductTagArgs, ProductTag } from '../graphql/generated/types.ts';
import { productTagInput } from './generated/tag-input.ts';
import { tagProjection } from './tag.ts';

const newTag = newRowOf(productTag);

export async function saveProductTag(
  ctx: Context,
  args: MutationSaveProductTagArgs,
  selection: Selection,
): Promise<ProductTag> {
  const { id: sentId, ...members } = parseInput(productTagInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newTag() : await lockRecord(ctx, productTag, 'ProductTag', sentId);
    const row = { ...stored, ...withoutUndefined(members), deleted: members.deleted ?? stored.deleted };
    return await pipeline(ctx, [
      ...recordWrite(ctx, productTag, row, { stored: sentId === undefined ? null : stored }),
      readRecordStep(ctx, tagProjection, row.id, selection),
    ]);
  });
}
