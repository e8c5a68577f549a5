import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import type { StoredVariantType } from '../../drizzle/product-values.ts';
import { product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import { productTag } from '../../drizzle/tag.ts';
import type { Context } from '../context.ts';
import { decimalText, documents, text, texts, withoutEvent } from '../db/read/fields.ts';
import type { SharedRecords } from '../db/read/placeholders.ts';
import { type JsonExpression, aliased, PAGE, type SqlScope, projection, placeholder } from '../db/read/projection.ts';
import { exists, hasMany, belongsTo, belongsToMany, sharedRecords } from '../db/read/relations.ts';
import { idOf, listElements, listTexts, storedObjects } from '../db/read/stored-list.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type {
  Product,
  ProductAttributeValue,
  ProductSalesChannel,
  ProductVariantType,
  SimpleCategory,
  SimpleProductBrand,
  SimpleProductTag,
  VariantValue,
} from '../graphql/generated/types.ts';
import { pageMetadataOf } from '../page-metadata/page-metadata.ts';
import { variantTypeProjection, variantValueProjection } from '../variant-type/variant-type.ts';
import { shownCategories, shownCategoryIds } from './membership/shown-categories.ts';
import { pricedVariantProjection, variantProjection } from './variant.ts';

const simpleBrandProjection = projection<SimpleProductBrand>()(productBrand, {});

const simpleTagProjection = projection<SimpleProductTag>()(productTag, {});

const simpleCategoryProjection = projection<SimpleCategory>()(category, {});

type ProductRow = typeof product;

export const productProjection = projection<Product>()(product, {
  sourceId: (row) => withoutEvent(text(row.sourceId)),
  variants: (row, scope) => hasMany(scope, variantProjection, (variant) => ofProduct(variant, row)),
  attributes: (row, scope) => documents<ProductAttributeValue>(scope, row.attributes),
  brand: (row, scope) => belongsTo(scope, simpleBrandProjection, row.brandId),
  categories: (row, scope) => shownCategories(row, scope, simpleCategoryProjection),
  categoryIds: (row, scope) => shownCategoryIds(row, scope),
  salesChannels: (row, scope) => documents<ProductSalesChannel>(scope, row.salesChannels),
  metaData: (row, scope) => pageMetadataOf(scope, row.id),
  productVariantTypes: (row, scope) => usedVariantTypes(row, scope),
  tags: (row, scope) => belongsToMany(scope, simpleTagProjection, row.tagIds),
  totalStock: (row, scope) => totalStock(row, scope),
});

type ProductProjection = typeof productProjection;

/** The same with computed prices. */
const withComputedPrices = (type: ProductProjection): ProductProjection => ({
  ...type,
  fields: {
    ...type.fields,
    variants: (row, scope) => hasMany(scope, pricedVariantProjection, (variant) => ofProduct(variant, row)),
  },
});

/** The same for merchants without automated categories: products are in the categories they were saved into. */
const withSavedCategories = (type: ProductProjection): ProductProjection => ({
  ...type,
  fields: {
    ...type.fields,
    categories: (row, scope) => belongsToMany(scope, simpleCategoryProjection, row.categoryIds),
    categoryIds: (row) => texts(row.categoryIds),
  },
});

const pricedProjection = withComputedPrices(productProjection);
/** Products with their own values only: without computed prices, and in the categories they were saved into. */
export const savedCategoriesProjection = withSavedCategories(productProjection);
const pricedSavedCategoriesProjection = withSavedCategories(pricedProjection);

/**
 * The fields of products as a request shows them. Computed prices and automated categories are asked for in each
 * statement, even if there are none: 20 and 20 of 270 us of one product, and 240 of 2,230 us for prices if it is planned
 * for its values. So statements of merchants without them do not ask for them.
 */
export function shownProduct({ session }: Partial<Pick<Context, 'session'>>): ProductProjection {
  const hasPrices = session?.hasDynamicPriceLists !== false;
  if (session?.hasAutomatedCategories !== false) return hasPrices ? pricedProjection : productProjection;
  return hasPrices ? pricedSavedCategoriesProjection : savedCategoriesProjection;
}

function ofProduct(row: typeof variant, product: ProductRow): { where: SQL[]; orderBy: SQL[] } {
  return {
    where: [sql`${row.productId} = ${product.id}`, sql`not ${row.deleted}`],
    orderBy: [sql`${row.position}`, sql`${row.id}`],
  };
}

/**
 * The variant types that the product uses, with its own `order` and `variantValueIds`, and with removed values among
 * these.
 */
function usedVariantTypes(row: ProductRow, scope: SqlScope): JsonExpression<ProductVariantType[]> {
  const uses = sql`${sql.identifier(PAGE)}, ${listElements(row.productVariantTypes)} as listed(use)`;
  const types = sharedRecords(
    scope,
    variantTypeProjection,
    sql`select ${idOf(sql`use ->> 'variantTypeId'`)} from ${uses}`,
  );
  const removed = removedValues(scope, uses);
  const members = Object.keys(scope.selection);
  const found = placeholder<ProductVariantType[]>(
    scope,
    sql`coalesce(${row.productVariantTypes}::text, '[]')`,
    (stored, page) => {
      const uses = storedObjects<StoredVariantType>(stored);
      return JSON.stringify(
        uses.flatMap((use) => {
          const type = page.record(types, use.variantTypeId) as ProductVariantType | undefined;
          if (!type) return [];
          const shown = { ...type, ...use };
          if (removed !== null) shown.values = [...type.values, ...removedOf(page, removed, use)];
          return [Object.fromEntries(members.map((name) => [name, shown[name as keyof typeof shown]]))];
        }),
      );
    },
  );
  return {
    ...found,
    event: {
      kind: 'uses',
      type: variantTypeProjection,
      column: row.productVariantTypes,
      id: 'variantTypeId',
      own: ['order', 'variantValueIds'],
    },
  };
}

/** The index of the document with the removed values that products of the page use; null if values are not selected. */
function removedValues(scope: SqlScope, uses: SQL): number | null {
  const selection = scope.selection['values'];
  if (!selection) return null;
  const ids = sql`
    select ${idOf(sql`value_id`)} from ${uses}, ${listTexts(sql`use -> 'variantValueIds'`)} as used(value_id)`;
  return sharedRecords({ ...scope, selection }, variantValueProjection, ids, (value) => [sql`${value.deleted}`]);
}

function removedOf(page: SharedRecords, removed: number, { variantValueIds }: StoredVariantType): VariantValue[] {
  const ids = Array.isArray(variantValueIds) ? variantValueIds : [];
  return [...new Set(ids)].flatMap((id) => (page.record(removed, id) as VariantValue | undefined) ?? []);
}

/** The sum over the product's variants and the stock locations that are not deleted. */
function totalStock(row: ProductRow, scope: SqlScope): JsonExpression<number> {
  const { row: stock, from } = aliased(scope, productStockLocation);
  const sold = exists(scope, variant, (variant) => [
    sql`${variant.id} = ${stock.variantId}`,
    sql`not ${variant.deleted}`,
  ]);
  const isOpen = exists(scope, stockLocation, (location) => [
    sql`${location.id} = ${stock.stockLocationId}`,
    sql`not ${location.deleted}`,
  ]);
  const sum = sql`coalesce(sum(${stock.stockCount}), 0)`;
  const total = (value: SQL): SQL =>
    sql`(select ${value} from ${from} where ${ownedBy(scope.tenant, stock)}
      and ${stock.productId} = ${row.id} and not ${stock.deleted} and ${sold} and ${isOpen})`;
  return { sql: total(decimalText(sum)), event: { kind: 'value', sql: total(sql`trim_scale(${sum})`) } };
}
