import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import type { TenantTable } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { ProductSearchFacetFieldEnum } from '../../graphql/generated/types.ts';

const MAX_FACET_VALUES = 1_000;

/** How the rows of the statement's `matches` divide, as JSON text. */
export function searchFacets(ctx: Context): SQL {
  const from = (tables: TenantTable[], conditions: SQL[]): SQL => sql`
    from matches, ${sql.join(
      tables.map((table) => sql`${table}`),
      sql`, `,
    )}
    where ${sql.join([...tables.map((table) => ownedBy(ctx, table)), ...conditions], sql` and `)}`;
  const facets = [
    facet(
      'BRAND',
      sql`${productBrand.id}`,
      sql`${productBrand.name}`,
      from(
        [product, productBrand],
        [
          sql`${product.id} = matches.id`,
          sql`${productBrand.id} = ${product.brandId}`,
          sql`not ${productBrand.deleted}`,
        ],
      ),
    ),
    facet(
      'CATEGORY',
      sql`${category.id}`,
      sql`${category.name}`,
      from(
        [product, category],
        [
          sql`${product.id} = matches.id`,
          sql`${category.id} = any(${product.categoryIds})`,
          sql`not ${category.deleted}`,
        ],
      ),
    ),
    facet(
      'TAG',
      sql`${productTag.id}`,
      sql`${productTag.name}`,
      from(
        [product, productTag],
        [
          sql`${product.id} = matches.id`,
          sql`${productTag.id} = any(${product.tagIds})`,
          sql`not ${productTag.deleted}`,
        ],
      ),
    ),
    facet('TYPE', sql`${product.type}`, sql`${product.type}`, from([product], [sql`${product.id} = matches.id`])),
    facet(
      'VARIANT_VALUE',
      sql`${variantValue.id}`,
      sql`${variantValue.name}`,
      from(
        [variant, variantValue],
        [
          sql`${variant.productId} = matches.id`,
          sql`not ${variant.deleted}`,
          sql`not ${variantValue.deleted}`,
          sql`${variantValue.id}::text = any(json_texts(${variant.variantValues}, 'variantValueId'))`,
        ],
      ),
    ),
  ];
  return sql`json_build_array(${sql.join(facets, sql`, `)})::text`;
}

function facet(field: ProductSearchFacetFieldEnum, id: SQL, name: SQL, from: SQL): SQL {
  return sql`json_build_object('field', ${sql.raw(`'${field}'`)}, 'values', (
    select coalesce(json_agg(json_build_object('id', value.id, 'name', value.name, 'count', value.count)
      order by value.count desc, value.name collate "und-x-icu", value.id), '[]')
    from (
      select ${id} as id, ${name} as name, count(distinct matches.id) as count ${from}
      group by 1, 2 order by 3 desc, ${name} collate "und-x-icu", 1 limit ${sql.raw(String(MAX_FACET_VALUES))}
    ) as value))`;
}
