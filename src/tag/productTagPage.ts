import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { ProductTag, QueryProductTagPageArgs } from '../graphql/generated/types.ts';
import { tagList } from './tag-list.ts';

export async function productTagPage(
  ctx: Context,
  args: QueryProductTagPageArgs,
  selection: Selection,
): Promise<Page<ProductTag>> {
  return await readRecordPage(ctx, tagList, args, selection);
}
