import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import type { TenantTable } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { ProductSearchFacetFieldEnum } from '../../graphql/generated/types.ts';

const MAX_FACET_VALUES = 1_000;

/**
 * A property by whose values the matches are counted: the id and name of a value, and the tables and conditions that
 * join values to `matches`. `joined` is a lateral sub-select after the tables.
 */
type Facet = {
  field: ProductSearchFacetFieldEnum;
  id: SQL;
  name: SQL;
  tables: TenantTable[];
  joined?: (ctx: Context) => SQL;
  conditions: SQL[];
};

const FACETS: Facet[] = [
  {
    field: 'BRAND',
    id: sql`${productBrand.id}`,
    name: sql`${productBrand.name}`,
    tables: [product, productBrand],
    conditions: [
      sql`${product.id} = matches.id`,
      sql`${productBrand.id} = ${product.brandId}`,
      sql`not ${productBrand.deleted}`,
    ],
  },
  {
    field: 'CATEGORY',
    id: sql`${category.id}`,
    name: sql`${category.name}`,
    tables: [product, category],
    joined: (ctx) => sql`lateral (
      select unnest(${product.categoryIds}) as category_id, false as by_conditions
      union all
      select ${categoryProduct.categoryId}, true from ${categoryProduct}
      where ${ownedBy(ctx, categoryProduct)} and ${categoryProduct.byConditions} and ${categoryProduct.productId} = ${product.id}
    ) as membership`,
    conditions: [
      sql`${product.id} = matches.id`,
      sql`${category.id} = membership.category_id`,
      sql`${category.byConditions} = membership.by_conditions`,
      sql`not ${category.deleted}`,
    ],
  },
  {
    field: 'TAG',
    id: sql`${productTag.id}`,
    name: sql`${productTag.name}`,
    tables: [product, productTag],
    conditions: [
      sql`${product.id} = matches.id`,
      sql`${productTag.id} = any(${product.tagIds})`,
      sql`not ${productTag.deleted}`,
    ],
  },
  {
    field: 'TYPE',
    id: sql`${product.type}`,
    name: sql`${product.type}`,
    tables: [product],
    conditions: [sql`${product.id} = matches.id`],
  },
  {
    field: 'VARIANT_VALUE',
    id: sql`${variantValue.id}`,
    name: sql`${variantValue.name}`,
    tables: [variant, variantValue],
    conditions: [
      sql`${variant.productId} = matches.id`,
      sql`not ${variant.deleted}`,
      sql`not ${variantValue.deleted}`,
      sql`${variantValue.id}::text = any(json_texts(${variant.variantValues}, 'variantValueId'))`,
    ],
  },
];

/** The facets of the rows in the statement's `matches`, as JSON text. */
export function searchFacets(ctx: Context): SQL {
  const facets = FACETS.map((facet) => searchFacet(ctx, facet));
  return sql`json_build_array(${sql.join(facets, sql`, `)})::text`;
}

function searchFacet(ctx: Context, { field, id, name, tables, joined, conditions }: Facet): SQL {
  const from = sql.join([...tables.map((table) => sql`${table}`), ...(joined ? [joined(ctx)] : [])], sql`, `);
  const where = sql.join([...tables.map((table) => ownedBy(ctx, table)), ...conditions], sql` and `);
  return sql`json_build_object('field', ${sql.raw(`'${field}'`)}, 'values', (
    select coalesce(json_agg(json_build_object('id', value.id, 'name', value.name, 'count', value.count)
      order by value.count desc, value.name collate "und-x-icu", value.id), '[]')
    from (
      select ${id} as id, ${name} as name, count(distinct matches.id) as count
      from matches, ${from} where ${where}
      group by 1, 2 order by 3 desc, ${name} collate "und-x-icu", 1 limit ${sql.raw(String(MAX_FACET_VALUES))}
    ) as value))`;
}
