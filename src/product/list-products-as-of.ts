import { changedSince, recordsAsOf } from '../change/records-as-of.ts';
import { checkedAsOf } from '../change/as-of.ts';
import type { Context } from '../context.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import type { ListRequest, Page } from '../db/read/read-page.ts';
import { readPage } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import type { product } from '../../drizzle/product.ts';
import { argumentInvalid } from '../errors.ts';
import type { Product, QueryListProductArgs } from '../graphql/generated/types.ts';
import { savedCategoriesProjection } from './product.ts';

/**
 * Products as they were at `args.asOf`. Names of their brand, tags and categories are as they were too; other records
 * that they refer to are as they are now.
 */
export async function listProductsAsOf(
  ctx: Context,
  args: QueryListProductArgs,
  selection: Selection,
  request: Pick<ListRequest<typeof product>, 'order' | 'where'>,
): Promise<Page<Product>> {
  if (selection.data?.totalStock)
    throw argumentInvalid([{ path: ['data', 'totalStock'], message: 'cannot be asked for together with asOf' }]);
  if (selection.data?.variants?.prices?.lowestPriceBeforeReduction)
    throw argumentInvalid([
      {
        path: ['data', 'variants', 'prices', 'lowestPriceBeforeReduction'],
        message: 'cannot be asked for together with asOf',
      },
    ]);
  return await inSnapshot(ctx, async (ctx) => {
    const { at, ids } = await checkedAsOf(ctx, args);
    const { earlier, rows } = await recordsAsOf(ctx, 'PRODUCT', ids, at);
    const named = (column: string): string[] => [...new Set(rows.flatMap((row) => (row[column] as string[]) ?? []))];
    const related = [
      await changedSince(ctx, 'PRODUCT_BRAND', named('brand_id'), at),
      await changedSince(ctx, 'PRODUCT_TAG', named('tag_ids'), at),
      await changedSince(ctx, 'CATEGORY', named('category_ids'), at),
    ];
    return await readPage(ctx, savedCategoriesProjection, {
      selection,
      pagination: args.pagination,
      ...request,
      earlier: [...earlier, ...related.flat()],
    });
  });
}
