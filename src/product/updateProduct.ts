import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import type { MutationUpdateProductArgs, Product } from '../graphql/generated/types.ts';
import { parseInputWithList } from '../list-input.ts';
import { patchedInput } from './merge/patched-input.ts';
import { productPatchWithVariants } from './input/product-patch-input.ts';
import { readProductForUpdate, writeProduct } from './write-product.ts';

export async function updateProduct(
  ctx: Context,
  args: MutationUpdateProductArgs,
  selection: Selection,
): Promise<Product> {
  const path = ['patch'];
  const patch = await parseInputWithList(ctx, productPatchWithVariants, args.patch, path);
  return await inTransaction(ctx, async (ctx) => {
    const stored = await readProductForUpdate(ctx, args.id, patch.variants ?? [], ['id']);
    const input = { ...patchedInput(patch, stored), version: args.version ?? null };
    return await writeProduct(ctx, { input, stored, unnamed: 'keptInOrder', path }, selection);
  });
}
