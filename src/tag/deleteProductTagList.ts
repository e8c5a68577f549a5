import { productTag } from '../../drizzle/tag.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteProductTagListArgs } from '../graphql/generated/types.ts';

export async function deleteProductTagList(ctx: Context, args: MutationDeleteProductTagListArgs): Promise<boolean> {
  return await deleteRecords(ctx, productTag, 'ProductTag', args.idList);
}
