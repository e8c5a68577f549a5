import { normalizedName } from '../../field-input.ts';
import { productExtrasInput } from '../import/extras-input.ts';
import { type ImportInput, type ImportNotes, ProductError } from '../import/import-input.ts';
import type { StoreIds } from '../line/store-ids.ts';
import { categoryPath } from '../line/category-path.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { colorOf } from '../line/written-texts.ts';
import {
  CellError,
  parseAmount,
  parseBoolean,
  parseCategories,
  parseMeasure,
  parseTags,
  parseVariantTypes,
  quoted,
} from './cells.ts';
import type { Layout } from './columns.ts';
import { type OptionValue, shownTypes } from './options.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { CsvProduct } from './read-csv.ts';
import { rowReader, type RowReader } from './row-reader.ts';
import { productExtrasIn } from './extras-cells.ts';
import { brandTextsIn, categoryTextsIn, colorsIn } from './texts-cells.ts';
import { csvVariants, type CsvVariants } from './csv-variants.ts';
import { variantsInput } from './variants-input.ts';

const PRODUCT_TYPES = ['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION'] as const;

type ProductType = (typeof PRODUCT_TYPES)[number];

/**
 * The input of bulkUpdateProducts for a product of the file. What the file leaves out comes from the stored product. A
 * deleted product is restored.
 */
export function importInput(
  csvProduct: CsvProduct,
  layout: Layout,
  storeIds: StoreIds,
  stored: PortableProduct | undefined,
  notes: ImportNotes,
): ImportInput {
  const reader = rowReader(layout);
  const [first] = csvProduct.rows as [CsvRow];
  const { text, read } = reader;
  const variants = csvVariants(csvProduct, layout, reader, stored);
  const { metaData, ...extras } = productExtrasInput(productExtrasIn(first, reader), stored, storeIds, notes);
  return {
    ...extras,
    ...(stored ? { id: stored.id } : { sourceId: text(first, 'sourceId') ?? csvProduct.handle }),
    deleted: false,
    name: read(first, 'title', normalizedName) ?? stored?.name ?? refuse(first, 'has no Title'),
    type: productType(csvProduct, reader, stored),
    ...given(
      'brand',
      read(first, 'vendor', (cell) => ({ name: normalizedName(cell), ...brandTextsIn(first, reader) })),
    ),
    categories: categories(first, reader, stored).map((name) => ({ name })),
    ...given(
      'tags',
      listOf(read(first, 'tags', parseTags))?.map((name) => ({ name })),
    ),
    productVariantTypes: withColors(variantTypes(first, layout, reader, stored, variants), colorsIn(first, reader)),
    ...given('categoryTexts', categoryTextsIn(first, reader)),
    metaData: {
      ...metaData,
      ...(stored ? {} : { slug: csvProduct.handle }),
      ...given('pageTitle', text(first, 'pageTitle')),
      ...given('description', text(first, 'pageDescription')),
    },
    ...given('description', text(first, 'description')),
    ...given('shortDescription', text(first, 'shortDescription')),
    ...given('googleTaxonomyId', text(first, 'googleTaxonomyId')),
    ...given('maxQuantityPerCart', read(first, 'maxQuantityPerCart', parseAmount)),
    ...given('vendor', text(first, 'vendorId')),
    ...given('weight', read(first, 'productWeight', parseMeasure)),
    variants: variantsInput({
      csvProduct,
      layout,
      reader,
      storeIds,
      stored,
      variants,
      isPublished: isPublished(first, reader),
      notes,
    }),
  };
}

/** An object with the member, or an empty object if the file has no value, so that the stored value stays. */
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Member in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Member in Name]?: Value });
}

function listOf<Entry>(list: Entry[] | null | undefined): Entry[] | undefined {
  return list === null ? [] : list;
}

function refuse(row: CsvRow, reason: string): never {
  throw new ProductError(row.line, reason);
}

/** Shopify's format only says whether a product is shipped (PHYSICAL) or not (DIGITAL). Other stored types stay. */
function productType(
  { rows }: CsvProduct,
  { text, read }: RowReader,
  stored: PortableProduct | undefined,
): ProductType {
  const own = read(rows[0]!, 'productType', parseProductType);
  if (own) return own;
  const said = rows.flatMap((row) => read(row, 'requiresShipping', parseBoolean) ?? []);
  const isCard = read(rows[0]!, 'giftCard', parseBoolean) === true;
  const shown = isCard || (said.length > 0 && !said.includes(true)) ? 'DIGITAL' : 'PHYSICAL';
  if (!stored) return shown;
  const isSaid = said.length > 0 || typeof text(rows[0]!, 'giftCard') === 'string';
  return isSaid && ['PHYSICAL', 'DIGITAL'].includes(stored.type) ? shown : stored.type;
}

function parseProductType(cell: string): ProductType {
  const type = PRODUCT_TYPES.find((name) => name === cell.trim().toUpperCase());
  if (type) return type;
  throw new CellError(`must be one of ${PRODUCT_TYPES.join(', ')}, not ${quoted(cell)}`);
}

function categories(row: CsvRow, { has, read }: RowReader, stored: PortableProduct | undefined): string[][] {
  const said = read(row, 'category', parseCategories) ?? read(row, 'productCategory', parseCategories);
  if (said || has('category', 'productCategory')) return said ?? [];
  return stored?.categories.map(categoryPath) ?? [];
}

/** True if published and active; null if the file has no such column. */
function isPublished(row: CsvRow, { has, read }: RowReader): boolean | null {
  if (!has('published', 'status')) return null;
  return (read(row, 'published', parseBoolean) ?? true) && (read(row, 'status', parseStatus) ?? true);
}

function parseStatus(cell: string): boolean {
  const status = cell.trim().toLowerCase();
  if (status === 'active' || status === 'unlisted') return true;
  if (status === 'draft' || status === 'archived') return false;
  throw new CellError(`must be active, draft, archived or unlisted, not ${quoted(cell)}`);
}

/**
 * The variant types of the column for them, with the values of new variants added. Without this column, the types
 * follow from the variants.
 */
function variantTypes(
  row: CsvRow,
  { options }: Layout,
  { read }: RowReader,
  stored: PortableProduct | undefined,
  variants: CsvVariants,
) {
  const shown = shownTypes(
    variants.optionNames,
    variants.list.map(({ variantValues }) => variantValues),
  );
  const kept = stored?.variantTypes.map(({ name, order, values }) => ({
    name,
    order,
    values: values.map((value) => value.name),
  }));
  const said = read(row, 'variantTypes', parseVariantTypes);
  const types = said ? withValues(said, newValues(variants, stored)) : options.length === 0 && kept ? kept : shown;
  return types.map(({ name, order, values }) => ({
    order,
    variantTypeName: name,
    variantValues: values.map((value) => ({ name: value })),
  }));
}

function withColors(
  types: ReturnType<typeof variantTypes>,
  colors: Record<string, Record<string, string>>,
): ImportInput['productVariantTypes'] {
  return types.map((type) => ({
    ...type,
    variantValues: type.variantValues.map(({ name }) => {
      const colorCode = colorOf(colors, type.variantTypeName, name);
      return { name, ...(colorCode !== undefined && { colorCode }) };
    }),
  }));
}

function newValues({ list }: CsvVariants, stored: PortableProduct | undefined): OptionValue[] {
  return stored ? list.filter((variant) => !variant.stored).flatMap(({ variantValues }) => variantValues) : [];
}

function withValues(
  types: ReturnType<typeof parseVariantTypes>,
  added: OptionValue[],
): ReturnType<typeof parseVariantTypes> {
  return types.map(({ name, order, values }) => ({
    name: normalizedName(name),
    order,
    values: [
      ...new Set([
        ...values.map(normalizedName),
        ...added.filter(({ typeName }) => typeName === name).map((value) => value.name),
      ]),
    ],
  }));
}
