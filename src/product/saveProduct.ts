import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import type { MutationSaveProductArgs, Product } from '../graphql/generated/types.ts';
import { parseInputWithList } from '../list-input.ts';
import { AutomatedCategoriesError } from './checks/automated-categories.ts';
import { productInputWithVariants } from './input/product-input.ts';
import { readProductForUpdate, writeProduct } from './write-product.ts';

export async function saveProduct(ctx: Context, args: MutationSaveProductArgs, selection: Selection): Promise<Product> {
  const path = ['input'];
  const input = await parseInputWithList(ctx, productInputWithVariants, args.input, path);
  const save = async (automated?: ReadonlySet<string>): Promise<Product> =>
    await inTransaction(ctx, async (ctx) => {
      const stored =
        input.id === undefined ? undefined : await readProductForUpdate(ctx, input.id, input.variants, [...path, 'id']);
      return await writeProduct(ctx, { input, stored, unnamed: 'deleted', path, automated }, selection);
    });
  try {
    return await save();
  } catch (error) {
    if (error instanceof AutomatedCategoriesError) return await save(error.ids);
    throw error;
  }
}
