import { type CategoryNames, categoryNames } from '../../category/category-names.ts';
import { categoryKey, findOrCreateCategories } from '../../category/find-or-create-categories.ts';
import type { Context } from '../../context.ts';
import type { InputPath } from '../../errors.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import type { BulkProductInput } from './bulk-products-input.ts';

/** A product of the request, its path in the arguments, and the categories that the stored one is in. */
export type ProductInCategories = { product: BulkProductInput; path: InputPath; storedIds: readonly string[] };

/**
 * The ids of the categories that each product names; none for a product without the member. Names may repeat: a product
 * stays in the category that it is in, if that one has the names. Otherwise the oldest one is found, or it is created.
 */
export async function resolveCategories(
  ctx: Context,
  products: readonly ProductInCategories[],
): Promise<ReadonlyMap<BulkProductInput, string[]>> {
  const placed = products.filter(({ product }) => product.categories);
  const names = await categoryNames(
    ctx,
    placed.flatMap(({ product, storedIds }) => (product.categories?.length ? storedIds : [])),
  );
  const keptIds = await mapInSlices(ctx, placed, (entry) => keptIdsOf(entry, names));
  const missing = await mapInSlices(ctx, placed, ({ product, path }, place) =>
    product.categories!.flatMap(({ name: names }, index) =>
      keptIds[place]![index] ? [] : [{ names, path: [...path, 'categories', index, 'name'] }],
    ),
  );
  const found = await findOrCreateCategories(
    ctx,
    missing.flat(),
    placed.flatMap(({ product }) => product.categoryTexts ?? []),
  );
  const ids = await mapInSlices(ctx, placed, ({ product }, place) => {
    const ofCategories = product.categories!.map(
      ({ name }, index) => keptIds[place]![index] ?? found.get(categoryKey(name))!,
    );
    return [product, ofCategories] as const;
  });
  return new Map(ids);
}

/** The stored category for each path of the product; a category is taken once. */
function keptIdsOf(
  { product, storedIds }: ProductInCategories,
  { paths, find }: CategoryNames,
): (string | undefined)[] {
  const free = Map.groupBy(new Set(storedIds), (id) => paths.get(id));
  return product.categories!.map(({ name }) => {
    const path = find(name);
    return path && free.get(path)?.shift();
  });
}
