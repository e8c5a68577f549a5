import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { ProductAttribute, QueryListProductAttributeArgs } from '../graphql/generated/types.ts';
import { attributeList } from './attribute-list.ts';

export async function listProductAttribute(
  ctx: Context,
  args: QueryListProductAttributeArgs,
  selection: Selection,
): Promise<ProductAttribute[]> {
  return await readRecordList(ctx, attributeList, args, selection);
}
