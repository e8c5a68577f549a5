import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { ProductVariantType, QueryVariantTypePageArgs } from '../graphql/generated/types.ts';
import { variantTypeList } from './variant-type-list.ts';

export async function variantTypePage(
  ctx: Context,
  args: QueryVariantTypePageArgs,
  selection: Selection,
): Promise<Page<ProductVariantType>> {
  return await readRecordPage(ctx, variantTypeList, args, selection);
}
