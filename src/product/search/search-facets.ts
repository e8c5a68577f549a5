import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../../drizzle/brand.ts';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { category } from '../../../drizzle/category.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import { idOf } from '../../db/read/stored-list.ts';
import { ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import type { NamedTable } from '../../db/write/find-or-create.ts';
import { isDeleted } from '../../db/write/record-types.ts';
import type { ProductSearchFacetFieldEnum } from '../../graphql/generated/types.ts';
import type { SearchConditions } from './search-input.ts';
import { isMaterialized, matchingProducts, type Wanted } from './search-matches.ts';

const MAX_FACET_VALUES = 1_000;

/**
 * A property by whose values the matches are counted. `own` is the condition on these values. `column` is the column of
 * the product that has them. `values` selects the values of the products of a common table expression, which has the
 * columns `id` and `value`, as `(product_id, id, kind)` without repetition; the kind of a category is whether it is
 * automated. `records` has the names of the values; the name of a type is its id.
 */
type Facet = {
  field: ProductSearchFacetFieldEnum;
  own?: keyof SearchConditions;
  column?: AnyPgColumn;
  values: (products: SQL, tenant: Tenant) => SQL;
  records?: NamedTable;
};

const FACETS: Facet[] = [
  { field: 'BRAND', own: 'brandId', column: product.brandId, values: singleValues, records: productBrand },
  {
    field: 'CATEGORY',
    own: 'categoryIds',
    column: product.categoryIds,
    values: (products, tenant) => sql`
      select distinct products.id, unnest(products.value), false from ${products} as products
      union all
      select ${categoryProduct.productId}, ${categoryProduct.categoryId}, true
      from ${products} as products join ${categoryProduct} on ${categoryProduct.productId} = products.id
      where ${ownedBy(tenant, categoryProduct)} and ${categoryProduct.byConditions}`,
    records: category,
  },
  {
    field: 'TAG',
    own: 'tagIds',
    column: product.tagIds,
    values: (products) =>
      sql`select distinct products.id, unnest(products.value), null::boolean from ${products} as products`,
    records: productTag,
  },
  { field: 'TYPE', own: 'type', column: product.type, values: singleValues },
  {
    field: 'VARIANT_VALUE',
    values: (products, tenant) => sql`
      select distinct products.id, listed.value ->> 'variantValueId', null::boolean
      from ${products} as products join ${variant} on ${variant.productId} = products.id,
        json_array_elements(${variant.variantValueIds}) as listed(value)
      where ${ownedBy(tenant, variant)} and not ${variant.deleted}`,
    records: variantValue,
  },
];

function singleValues(products: SQL): SQL {
  return sql`select products.id, products.value, null::boolean from ${products} as products`;
}

/** `sets`: further common table expressions, each followed by a comma. `counts`: the facets as JSON text. */
export type SearchFacets = { sets: SQL; counts: SQL };

/**
 * The facets of the found products. A facet is counted without its own condition, so that its values tell how many
 * products another choice would find.
 */
export function searchFacets(tenant: Tenant, wanted: Wanted): SearchFacets {
  const sets = FACETS.flatMap((facet) => (facet.column ? [facetProducts(tenant, wanted, facet, facet.column)] : []));
  const facets = FACETS.map((facet) => searchFacet(tenant, facet));
  return { sets: sql.join(sets, sql``), counts: sql`json_build_array(${sql.join(facets, sql`, `)})::text` };
}

/** The products of a facet with their values. They are the matches, unless the facet's own condition is given. */
function facetProducts(tenant: Tenant, wanted: Wanted, facet: Facet, column: AnyPgColumn): SQL {
  const { own } = facet;
  const { conditions } = wanted;
  const hasOwn = own !== undefined && conditions[own] != null;
  const products =
    hasOwn || !isMaterialized(wanted, true)
      ? matchingProducts(tenant, hasOwn ? { ...wanted, conditions: { ...conditions, [own]: null } } : wanted, column)
      : sql`select matches.id, ${column} as value from matches join ${product} on ${product.id} = matches.id
          where ${ownedBy(tenant, product)}`;
  return sql`${setOf(facet)} as (${products}),`;
}

function setOf({ field, column }: Facet): SQL {
  return column ? sql`${sql.identifier(`${field.toLowerCase()}_products`)}` : sql`matches`;
}

/**
 * Counts before it joins the names. Joined first, a wrong estimate of the number of matches made Postgres compare each
 * match with each brand and value: 11 s instead of 2.5 s of CPU for 100,000 products.
 */
function searchFacet(tenant: Tenant, facet: Facet): SQL {
  const { field, values, records } = facet;
  const counted = sql`
    select used.id, used.kind, count(*) as count from (${values(setOf(facet), tenant)}) as used(product_id, id, kind)
    group by used.id, used.kind`;
  const [id, name] = records ? [sql`${records.id}`, sql`${records.name}`] : [sql`counted.id`, sql`counted.id`];
  const joined = records
    ? sql`join ${records} on ${sql.join(recordConditions(tenant, facet, records), sql` and `)}`
    : sql``;
  return sql`json_build_object('field', ${sql.raw(`'${field}'`)}, 'values', (
    select coalesce(json_agg(json_build_object('id', value.id, 'name', value.name, 'count', value.count)
      order by value.count desc, value.name collate "und-x-icu", value.id), '[]')
    from (
      select ${id} as id, ${name} as name, counted.count from (${counted}) as counted ${joined}
      order by 3 desc, ${name} collate "und-x-icu", 1 limit ${sql.raw(String(MAX_FACET_VALUES))}
    ) as value))`;
}

function recordConditions(tenant: Tenant, { field, column }: Facet, records: NamedTable): SQL[] {
  // Plain SQL may store other texts as ids in the values of a variant.
  const id = column ? sql`counted.id` : idOf(sql`counted.id`);
  return [
    ownedBy(tenant, records),
    sql`${records.id} = ${id}`,
    sql`not ${field === 'VARIANT_VALUE' ? isDeleted(tenant, 'VariantValue') : records.deleted}`,
    ...(field === 'CATEGORY' ? [sql`${category.byConditions} = counted.kind`] : []),
  ];
}
