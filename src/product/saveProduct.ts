import type { Context } from '../context.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveProductArgs, Product } from '../graphql/generated/types.ts';
import { preparePageMetadata } from '../page-metadata/save-page-metadata.ts';
import { bundleCheck } from './save/bundle-check.ts';
import { mergeProduct } from './save/merge-product.ts';
import { refuseRepeatedOptions } from './save/option-values.ts';
import { ownCurrency } from './save/own-currency.ts';
import { type ProductInput, productInput } from './save/product-input.ts';
import { productProjection } from './product.ts';
import { productReferenceChecks } from './save/product-references.ts';
import { type StoredProduct, readProductsForUpdate } from './save/stored-products.ts';
import { writeProducts } from './save/write-products.ts';

export async function saveProduct(ctx: Context, args: MutationSaveProductArgs, selection: Selection): Promise<Product> {
  const parsed = parseInput(productInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const input = await withOwnCurrencies(ctx, parsed);
    const stored = input.id === undefined ? undefined : await storedProduct(ctx, input.id);
    const write = mergeProduct(input, stored, 'deleted', ['input']);
    refuseRepeatedOptions(write, ['input', 'variants'], 'variantValueIds');
    const { name } = write.row;
    const id = write.row.id;
    const metaData = await preparePageMetadata(ctx, 'PRODUCT', [
      { targetId: id, name, metaData: input.metaData, isNew: !stored },
    ]);
    const references = productReferenceChecks(ctx, [{ input, path: ['input'], stored }]);
    const checks = [...references, ...bundleCheck(ctx, input, stored)];
    const read = readRecordStep(ctx, productProjection, id, selection);
    const saved = await pipeline(ctx, [...checks, ...writeProducts(ctx, [write], metaData), read]);
    return (await metaData.assignSlugs()) ? await pipeline(ctx, [read]) : saved;
  });
}

async function withOwnCurrencies(ctx: Context, input: ProductInput): Promise<ProductInput> {
  const own = await ownCurrency(
    ctx,
    input.variants.flatMap(({ prices }) => prices),
  );
  return { ...input, variants: input.variants.map((variant) => ({ ...variant, prices: variant.prices.map(own) })) };
}

async function storedProduct(ctx: Context, id: string): Promise<StoredProduct> {
  const stored = (await readProductsForUpdate(ctx, [id])).get(id);
  if (!stored) throw notFound('Product', [id], ['input', 'id']);
  return stored;
}
