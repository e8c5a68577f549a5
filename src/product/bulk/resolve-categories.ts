import { categoryNames } from '../../category/category-names.ts';
import { categoryKey, findOrCreateCategories } from '../../category/find-or-create-categories.ts';
import type { Context } from '../../context.ts';
import type { InputPath } from '../../errors.ts';
import type { BulkProductInput } from './bulk-products-input.ts';

/** A product of the request, its path in the arguments, and the categories that the stored one is in. */
export type ProductInCategories = { product: BulkProductInput; path: InputPath; storedIds: readonly string[] };

/**
 * The ids of the categories that each product names. Names may repeat: a product stays in the category that it is in, if
 * that one has the names. Otherwise the oldest one is found, or it is created.
 */
export async function resolveCategories(
  ctx: Context,
  products: readonly ProductInCategories[],
): Promise<ReadonlyMap<BulkProductInput, string[]>> {
  const placed = products.filter(({ product }) => product.categories.length > 0);
  const names = await categoryNames(
    ctx,
    placed.flatMap(({ storedIds }) => storedIds),
  );
  const kept = new Map(products.map((entry) => [entry.product, keptIds(entry, names)]));
  const found = await findOrCreateCategories(
    ctx,
    placed.flatMap(({ product, path }) =>
      product.categories.flatMap(({ name: names }, index) =>
        kept.get(product)![index] ? [] : [{ names, path: [...path, 'categories', index, 'name'] }],
      ),
    ),
    placed.flatMap(({ product }) => product.categoryTexts ?? []),
  );
  const idsOf = (product: BulkProductInput): string[] =>
    product.categories.map(({ name }, index) => kept.get(product)![index] ?? found.get(categoryKey(name))!);
  return new Map(products.map(({ product }) => [product, idsOf(product)]));
}

/** The stored category for each path of the product; a category is taken once. */
function keptIds(
  { product, storedIds }: ProductInCategories,
  names: ReadonlyMap<string, string[]>,
): (string | undefined)[] {
  const free = new Set(storedIds);
  return product.categories.map(({ name }) => {
    const id = [...free].find((storedId) => categoryKey(names.get(storedId) ?? []) === categoryKey(name));
    if (id !== undefined) free.delete(id);
    return id;
  });
}
