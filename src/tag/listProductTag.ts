import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { ProductTag, QueryListProductTagArgs } from '../graphql/generated/types.ts';
import { tagList } from './tag-list.ts';

export async function listProductTag(
  ctx: Context,
  args: QueryListProductTagArgs,
  selection: Selection,
): Promise<ProductTag[]> {
  return await readRecordList(ctx, tagList, args, selection);
}
