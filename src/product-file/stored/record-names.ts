import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import type { NamedTable } from '../../db/write/find-or-create.ts';
import { storedRows, type StoredRow } from '../../db/write/stored-rows.ts';
import type { StoredProduct, VariantRow } from '../../product/stored/stored-products.ts';

type RowsById<Table extends NamedTable> = ReadonlyMap<string, StoredRow<Table>>;

/** The records to which products refer by id, deleted ones too. */
export type RecordNames = {
  brands: RowsById<typeof productBrand>;
  categories: RowsById<typeof category>;
  tags: RowsById<typeof productTag>;
  variantTypes: RowsById<typeof variantType>;
  variantValues: RowsById<typeof variantValue>;
};

export type CategoryRow = StoredRow<typeof category>;

/** What a brand or category shows besides its name. An import uses it for a record that it creates. */
export type Texts = Pick<StoredRow<typeof productBrand>, 'description' | 'translations'>;

export async function readNames(ctx: MerchantContext, products: readonly StoredProduct[]): Promise<RecordNames> {
  const rows = products.map(({ row }) => row);
  const types = rows.flatMap(({ productVariantTypes }) => productVariantTypes ?? []);
  const values = products.flatMap(({ variants }) =>
    Array.from(variants.values(), ({ variantValueIds }) => variantValueIds ?? []).flat(),
  );
  const grouping = rows.flatMap(({ groupVariantsByVariantTypeId: id }) => id ?? []);
  const brandIds = rows.flatMap(({ brandId }) => brandId ?? []);
  const categoryIds = rows.flatMap((row) => row.categoryIds);
  const tagIds = rows.flatMap((row) => row.tagIds);
  const typeIds = [...[...types, ...values].map(({ variantTypeId }) => variantTypeId), ...grouping];
  const valueIds = [
    ...types.flatMap(({ variantValueIds }) => variantValueIds),
    ...values.map(({ variantValueId }) => variantValueId),
  ];
  const [brands, categories, tags, variantTypes, variantValues] = await Promise.all([
    rowsById(ctx, productBrand, brandIds),
    readCategories(ctx, categoryIds),
    rowsById(ctx, productTag, tagIds),
    rowsById(ctx, variantType, typeIds),
    rowsById(ctx, variantValue, valueIds),
  ]);
  return { brands, categories, tags, variantTypes, variantValues };
}

/** The categories with their ancestors. */
async function readCategories(ctx: MerchantContext, ids: readonly string[]): Promise<RowsById<typeof category>> {
  const found = await rowsById(ctx, category, ids);
  const ancestorIds = Array.from(found.values(), ({ path }) => path.filter((id) => !found.has(id))).flat();
  return new Map([...found, ...(await rowsById(ctx, category, ancestorIds))]);
}

async function rowsById<Table extends NamedTable>(
  ctx: MerchantContext,
  table: Table,
  ids: readonly string[],
): Promise<RowsById<Table>> {
  if (ids.length === 0) return new Map();
  const rows = await pipeline(ctx, [storedRows<Table>(ctx, table, { member: 'id' as never, ids: [...new Set(ids)] })]);
  return new Map(rows.map((row) => [(row as { id: string }).id, row]));
}

/** The records with these ids that are not deleted or unknown. */
export function live<Row extends { deleted: boolean }>(
  rows: ReadonlyMap<string, Row>,
  ...ids: readonly (string | null)[]
): Row[] {
  return ids.flatMap((id) => {
    const row = rows.get(id ?? '');
    return row && !row.deleted ? [row] : [];
  });
}

/**
 * The names of the variant's option values. A type that was deleted after its values is named too, and a value that was
 * removed from its type is not.
 */
export function valueNames({ variantValueIds }: VariantRow, names: RecordNames) {
  return (variantValueIds ?? []).flatMap(({ variantTypeId, variantValueId }) => {
    const typeName = names.variantTypes.get(variantTypeId)?.name;
    return typeName === undefined
      ? []
      : live(names.variantValues, variantValueId).map(({ name }) => ({ typeName, name }));
  });
}

/** A category after its ancestors, from the root. */
export function categoryPath(category: CategoryRow, { categories }: RecordNames): CategoryRow[] {
  return [...category.path.flatMap((id) => categories.get(id) ?? []), category];
}
