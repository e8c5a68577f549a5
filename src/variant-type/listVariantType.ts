import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { ProductVariantType, QueryListVariantTypeArgs } from '../graphql/generated/types.ts';
import { variantTypeList } from './variant-type-list.ts';

export async function listVariantType(
  ctx: Context,
  args: QueryListVariantTypeArgs,
  selection: Selection,
): Promise<ProductVariantType[]> {
  return await readRecordList(ctx, variantTypeList, args, selection);
}
