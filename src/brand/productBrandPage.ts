import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { ProductBrand, QueryProductBrandPageArgs } from '../graphql/generated/types.ts';
import { brandList } from './brand-list.ts';

export async function productBrandPage(
  ctx: Context,
  args: QueryProductBrandPageArgs,
  selection: Selection,
): Promise<Page<ProductBrand>> {
  return await readRecordPage(ctx, brandList, args, selection);
}
