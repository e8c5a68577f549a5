import { productAttribute } from '../../drizzle/attribute.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteProductAttributeListArgs } from '../graphql/generated/types.ts';

export async function deleteProductAttributeList(
  ctx: Context,
  args: MutationDeleteProductAttributeListArgs,
): Promise<boolean> {
  return await deleteRecords(ctx, productAttribute, 'ProductAttribute', args.idList);
}
