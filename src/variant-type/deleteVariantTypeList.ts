import { variantType } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteVariantTypeListArgs } from '../graphql/generated/types.ts';

export async function deleteVariantTypeList(ctx: Context, args: MutationDeleteVariantTypeListArgs): Promise<boolean> {
  return await deleteRecords(ctx, variantType, 'ProductVariantType', args.idList);
}
