import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveProductArgs, Product } from '../graphql/generated/types.ts';
import { productInput } from './save/product-input.ts';
import { readProductForUpdate, writeProduct } from './write-product.ts';

export async function saveProduct(ctx: Context, args: MutationSaveProductArgs, selection: Selection): Promise<Product> {
  const path = ['input'];
  const input = parseInput(productInput, args.input, path);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      input.id === undefined ? undefined : await readProductForUpdate(ctx, input.id, input.variants, [...path, 'id']);
    return await writeProduct(ctx, { input, stored, unnamed: 'deleted', path }, selection);
  });
}
