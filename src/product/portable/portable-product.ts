import { sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { type productTypes, product } from '../../../drizzle/product.ts';
import type { StoredVariantType } from '../../../drizzle/product-values.ts';
import { boolean, decimal, id, text, enumValue } from '../../db/read/fields.ts';
import { type JsonExpression, PAGE, type SqlScope, projection, placeholder } from '../../db/read/projection.ts';
import { hasMany, hasOne, belongsToMany, sharedRecords } from '../../db/read/relations.ts';
import { type PortableVariant, portableVariantProjection } from './portable-variant.ts';
import {
  brandProjection,
  isNotDeleted,
  NAME,
  tagProjection,
  typeProjection,
  valueProjection,
  type WithName,
} from './record-names.ts';

type MetaData = { slug: string; pageTitle: string | null; description: string | null };
type Category = { name: string; ancestors: WithName[] };
type UsedVariantType = { name: string; order: number; values: WithName[] };

/** A product with names instead of ids, as a bulk request has it. Deleted parts are left out. */
export type PortableProduct = {
  id: string;
  sourceId: string | null;
  deleted: boolean;
  name: string;
  type: (typeof productTypes)[number];
  brand: string | null;
  categories: Category[];
  tags: WithName[];
  variantTypes: UsedVariantType[];
  metaData: MetaData | null;
  description: string | null;
  shortDescription: string | null;
  googleTaxonomyId: string | null;
  maxQuantityPerCart: number | null;
  vendorId: string | null;
  weight: number | null;
  variants: PortableVariant[];
};

const pageMetadataProjection = projection<MetaData>()(pageMetadata, {
  slug: (row) => text(row.slug),
  pageTitle: (row) => text(row.pageTitle),
  description: (row) => text(row.description),
});

const ancestorProjection = projection<WithName>()(category, { name: (row) => text(row.name) });

const categoryProjection = projection<Category>()(category, {
  name: (row) => text(row.name),
  ancestors: (row, scope) =>
    hasMany(scope, ancestorProjection, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
});

function usedVariantTypes(row: typeof product, scope: SqlScope): JsonExpression<UsedVariantType[]> {
  const names = { ...scope, selection: NAME };
  const lists = sql`${sql.identifier(PAGE)}, json_array_elements(${row.variantTypes}) as listed(use)`;
  const types = sharedRecords(
    names,
    typeProjection,
    sql`select (use ->> 'variantTypeId')::uuid from ${lists}`,
    isNotDeleted,
  );
  const values = sharedRecords(
    names,
    valueProjection,
    sql`select value_id::uuid from ${lists}, json_array_elements_text(use -> 'variantValueIds') as used(value_id)`,
    isNotDeleted,
  );
  return placeholder(scope, sql`coalesce(${row.variantTypes}::text, '[]')`, (stored, page) => {
    const used = JSON.parse(stored) as StoredVariantType[];
    return JSON.stringify(
      used.flatMap(({ variantTypeId, order, variantValueIds }) => {
        const type = page.record(types, variantTypeId) as WithName | undefined;
        return type
          ? [
              {
                name: type.name,
                order,
                values: variantValueIds.flatMap((id) => (page.record(values, id) as WithName | undefined) ?? []),
              },
            ]
          : [];
      }),
    );
  });
}

export const portableProductProjection = projection<PortableProduct>()(product, {
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  deleted: (row) => boolean(row.deleted),
  name: (row) => text(row.name),
  type: (row) => enumValue(row.type),
  brand: (row, scope) => {
    const brands = sharedRecords(
      { ...scope, selection: NAME },
      brandProjection,
      sql`select ${row.brandId} from ${sql.identifier(PAGE)}`,
      isNotDeleted,
    );
    return placeholder(scope, sql`coalesce(${row.brandId}::text, '')`, (id, page) =>
      JSON.stringify((page.record(brands, id) as WithName | undefined)?.name ?? null),
    );
  },
  categories: (row, scope) => belongsToMany(scope, categoryProjection, row.categoryIds, isNotDeleted),
  tags: (row, scope) => belongsToMany(scope, tagProjection, row.tagIds, isNotDeleted),
  variantTypes: (row, scope) => usedVariantTypes(row, scope),
  metaData: (row, scope) =>
    hasOne(scope, pageMetadataProjection, (metaData) => [sql`${metaData.targetId} = ${row.id}`]),
  description: (row) => text(row.description),
  shortDescription: (row) => text(row.shortDescription),
  googleTaxonomyId: (row) => text(row.googleTaxonomyId),
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  vendorId: (row) => text(row.vendorId),
  weight: (row) => decimal(row.weight),
  variants: (row, scope) =>
    hasMany(scope, portableVariantProjection, (variant) => ({
      where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`],
      orderBy: [sql`${variant.position}`],
    })),
});
