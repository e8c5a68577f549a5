import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { ProductAttribute, QueryProductAttributePageArgs } from '../graphql/generated/types.ts';
import { attributeList } from './attribute-list.ts';

export async function productAttributePage(
  ctx: Context,
  args: QueryProductAttributePageArgs,
  selection: Selection,
): Promise<Page<ProductAttribute>> {
  return await readRecordPage(ctx, attributeList, args, selection);
}
