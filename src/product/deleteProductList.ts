import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteProductListArgs } from '../graphql/generated/types.ts';

export async function deleteProductList(ctx: Context, args: MutationDeleteProductListArgs): Promise<boolean> {
  return await deleteRecords(ctx, product, 'Product', args.idList);
}
