import { productBrand } from '../../drizzle/brand.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteProductBrandListArgs } from '../graphql/generated/types.ts';

export async function deleteProductBrandList(ctx: Context, args: MutationDeleteProductBrandListArgs): Promise<boolean> {
  return await deleteRecords(ctx, productBrand, 'ProductBrand', args.idList);
}
