import { sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import { product } from '../../../drizzle/product.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import type { Translation } from '../../../drizzle/columns.ts';
import type { StoredAttributeValue, StoredSalesChannel, StoredVariantType } from '../../../drizzle/product-values.ts';
import { document, texts } from '../../db/read/fields.ts';
import {
  aliased,
  type JsonExpression,
  PAGE,
  type SqlScope,
  projection,
  placeholder,
} from '../../db/read/projection.ts';
import { listElements, listTexts, storedObjects } from '../../db/read/stored-list.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { belongsTo, hasMany, belongsToMany, sharedRecords } from '../../db/read/relations.ts';
import { productProjection } from '../../product/product.ts';
import type { Product } from '../../graphql/generated/types.ts';
import { type MetaDataMembers, type ProductMembers, sameFields } from './own-members.ts';
import { type PortableVariant, portableVariantProjection } from './portable-variant.ts';
import {
  brandProjection,
  isNotDeleted,
  NAME,
  tagProjection,
  type Texts,
  typeProjection,
  valueProjection,
  type WithName,
} from './record-names.ts';

type MetaData = MetaDataMembers & { slug: string };
type Ancestor = WithName & Texts;
type Category = Ancestor & { ancestors: Ancestor[] };
type UsedVariantType = { name: string; order: number; values: (WithName & { colorCode: string | null })[] };

/** A stored product with the names of the records that it refers to. Deleted parts are left out. */
export type PortableProduct = ProductMembers & {
  id: string;
  deleted: boolean;
  version: number;
  updatedAt: number;
  /** When the last of its stock counts was changed or removed; null without stock counts. */
  stockUpdatedAt: number | null;
  brand: (WithName & Texts) | null;
  brandId: string | null;
  categoryIds: string[];
  tagIds: string[];
  categories: Category[];
  tags: WithName[];
  variantTypes: UsedVariantType[];
  metaData: MetaData | null;
  releaseDate: number | null;
  dynamicPriceListIds: string[];
  salesChannelIds: string[];
  hiddenSalesChannelIds: string[];
  salesChannels: StoredSalesChannel[];
  /** The variant type by name. */
  groupVariantsBy: WithName | null;
  attributes: StoredAttributeValue[];
  variants: PortableVariant[];
};

const ancestorProjection = projection<Ancestor>()(category, {
  translations: (row, scope) => document<Translation[]>(scope, row.translations),
});

const categoryProjection = projection<Category>()(category, {
  ...ancestorProjection.fields,
  ancestors: (row, scope) =>
    hasMany(scope, ancestorProjection, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
});

function usedVariantTypes(row: typeof product, scope: SqlScope): JsonExpression<UsedVariantType[]> {
  const names = { ...scope, selection: NAME };
  const namesAndColors = { ...scope, selection: { ...NAME, colorCode: {} } };
  const lists = sql`${sql.identifier(PAGE)}, ${listElements(row.productVariantTypes)} as listed(use)`;
  const types = sharedRecords(
    names,
    typeProjection,
    sql`select (use ->> 'variantTypeId')::uuid from ${lists}`,
    isNotDeleted,
  );
  const values = sharedRecords(
    namesAndColors,
    valueProjection,
    sql`select value_id::uuid from ${lists}, ${listTexts(sql`use -> 'variantValueIds'`)} as used(value_id)`,
    isNotDeleted,
  );
  return placeholder(scope, sql`coalesce(${row.productVariantTypes}::text, '[]')`, (stored, page) => {
    const used = storedObjects<StoredVariantType>(stored);
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

function lastStockUpdate(row: typeof product, scope: SqlScope): JsonExpression<number | null> {
  const { row: stock, from } = aliased(scope, productStockLocation);
  return {
    sql: sql`coalesce((
      select (extract(epoch from max(${stock.updatedAt})) * 1000)::bigint::text from ${from}
      where ${ownedBy(scope.tenant, stock)} and ${stock.productId} = ${row.id}), 'null')`,
  };
}

export const portableProductProjection = projection<PortableProduct>()(product, {
  ...sameFields<PortableProduct, Product, typeof product>(productProjection),
  stockUpdatedAt: (row, scope) => lastStockUpdate(row, scope),
  brand: (row, scope) => belongsTo(scope, brandProjection, row.brandId, isNotDeleted),
  // All that are stored: the service shows automated ones too.
  categoryIds: (row) => texts(row.categoryIds),
  categories: (row, scope) => belongsToMany(scope, categoryProjection, row.categoryIds, isNotDeleted),
  tags: (row, scope) => belongsToMany(scope, tagProjection, row.tagIds, isNotDeleted),
  variantTypes: (row, scope) => usedVariantTypes(row, scope),
  groupVariantsBy: (row, scope) => belongsTo(scope, typeProjection, row.groupVariantsByVariantTypeId, isNotDeleted),
  variants: (row, scope) =>
    hasMany(scope, portableVariantProjection, (variant) => ({
      where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`],
      orderBy: [sql`${variant.position}`],
    })),
});

/** The handle that identifies the product in a file: its slug, or its id if it has no slug. */
export function handleOf({ metaData, id }: Pick<PortableProduct, 'metaData' | 'id'>): string {
  return metaData?.slug ?? id;
}

/** The names of a category from its root. */
export function categoryPath({ name, ancestors }: Category): string[] {
  return [...ancestors.map((ancestor) => ancestor.name), name];
}
