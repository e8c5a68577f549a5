import { sql } from 'drizzle-orm';
import { hasAutomatedCategories } from '../category/automated-category.ts';
import { changedSince, recordsAsOf } from '../change/records-as-of.ts';
import { checkedAsOf } from '../change/as-of.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import type { ListRequest, Page } from '../db/read/read-page.ts';
import { readPage } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import type { product } from '../../drizzle/product.ts';
import { argumentInvalid } from '../errors.ts';
import type { Product, QueryListProductArgs } from '../graphql/generated/types.ts';
import { hasDynamicPriceLists } from '../price-list/dynamic-list.ts';
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
  return await inSnapshot(ctx, async (ctx) => {
    await refuseUnknown(ctx, selection);
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

const OF_PRICES = ['data', 'variants', 'prices'];
const COMPUTED_MARK = [...OF_PRICES, 'isComputed'];
const MEMBERSHIPS = [
  ['data', 'categories'],
  ['data', 'categoryIds'],
];

/**
 * Refuses fields whose earlier values are not kept: computed ones, and those that the merchant's automated categories and
 * dynamic price lists add to. `prices` itself is answered, with the saved prices, and `availableCount` of variants with
 * the present count.
 */
async function refuseUnknown(ctx: Context, selection: Selection): Promise<void> {
  const isSelected = (path: readonly string[]): boolean =>
    path.reduce<Selection | undefined>((own, name) => own?.[name], selection) !== undefined;
  const unknown = [
    ['data', 'totalStock'],
    [...OF_PRICES, 'lowestPriceBeforeReduction'],
  ];
  if ([COMPUTED_MARK, ...MEMBERSHIPS].some(isSelected)) {
    const [computed] = await readRows(
      ctx,
      { prices: column.boolean, categories: column.boolean },
      sql`select ${hasDynamicPriceLists(ctx)} as "prices", ${hasAutomatedCategories(ctx)} as "categories"`,
    );
    if (computed!.prices) unknown.push(COMPUTED_MARK);
    if (computed!.categories) unknown.push(...MEMBERSHIPS);
  }
  const issues = unknown
    .filter(isSelected)
    .map((path) => ({ path, message: 'cannot be asked for together with asOf' }));
  if (issues.length > 0) throw argumentInvalid(issues);
}
