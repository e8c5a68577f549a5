import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { ProductBrand, QueryListProductBrandArgs } from '../graphql/generated/types.ts';
import { brandList } from './brand-list.ts';

export async function listProductBrand(
  ctx: Context,
  args: QueryListProductBrandArgs,
  selection: Selection,
): Promise<ProductBrand[]> {
  return await readRecordList(ctx, brandList, args, selection);
}
