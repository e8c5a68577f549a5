import type { Context } from '../context.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import { inTransaction } from '../db/transaction.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveProductArgs, Product } from '../graphql/types.generated.ts';
import { saveMetaData } from '../meta-data/saveMetaData.ts';
import { mergeProduct } from './mergeProduct.ts';
import { productInput } from './product-input.ts';
import { productShape } from './product.ts';
import { checkProductReferences } from './productReferences.ts';
import { type StoredProduct, storedProducts } from './storedProducts.ts';
import { writeProducts } from './writeProducts.ts';

export async function saveProduct(ctx: Context, args: MutationSaveProductArgs, selection: Selection): Promise<Product> {
  const input = parseInput(productInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = input.id === undefined ? undefined : await storedProduct(ctx, input.id);
    const write = mergeProduct(input, stored, ['input']);
    await checkProductReferences(ctx, [{ input, path: ['input'], stored }]);
    const target = { targetId: write.row.id!, name: write.row.name, metaData: input.metaData, isNew: !stored };
    await Promise.all([writeProducts(ctx, [write]), saveMetaData(ctx, 'PRODUCT', [target])]);
    return await readRecord(ctx, productShape, write.row.id!, selection);
  });
}

async function storedProduct(ctx: Context, id: string): Promise<StoredProduct> {
  const stored = (await storedProducts(ctx, [id])).get(id);
  if (!stored) throw notFound('Product', [id], ['input', 'id']);
  return stored;
}
