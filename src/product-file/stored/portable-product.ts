import { sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { type productTypes, product } from '../../../drizzle/product.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import type { Translation } from '../../../drizzle/columns.ts';
import type { StoredAttributeValue, StoredSalesChannel, StoredVariantType } from '../../../drizzle/product-values.ts';
import {
  boolean,
  decimal,
  document,
  documents,
  enumValue,
  id,
  integer,
  text,
  texts,
  timestamp,
} from '../../db/read/fields.ts';
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
import { belongsTo, hasMany, hasOne, belongsToMany, sharedRecords } from '../../db/read/relations.ts';
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

type MetaData = {
  slug: string;
  pageTitle: string | null;
  description: string | null;
  canonicals: string[] | null;
  disableIndex: boolean | null;
  redirectTo: string | null;
  metadataOverrides: unknown[] | null;
  translations: unknown[] | null;
};
type Ancestor = WithName & Texts;
type Category = Ancestor & { ancestors: Ancestor[] };
type UsedVariantType = { name: string; order: number; values: (WithName & { colorCode: string | null })[] };

/** A product with names instead of ids, as a bulk request has it. Deleted parts are left out. */
export type PortableProduct = {
  id: string;
  sourceId: string | null;
  deleted: boolean;
  version: number;
  updatedAt: number;
  /** When the last of its stock counts was changed or removed; null without stock counts. */
  stockUpdatedAt: number | null;
  name: string;
  type: (typeof productTypes)[number];
  brand: (WithName & Texts) | null;
  brandId: string | null;
  categoryIds: string[];
  tagIds: string[];
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
  baseUnit: object | null;
  translations: Translation[] | null;
  releaseDate: number | null;
  productOptionSetId: string | null;
  productVolumeDiscountId: string | null;
  subscriptionPlanId: string | null;
  dynamicPriceListIds: string[];
  salesChannelIds: string[];
  hiddenSalesChannelIds: string[];
  salesChannels: StoredSalesChannel[];
  /** The variant type by name. */
  groupVariantsBy: WithName | null;
  attributes: StoredAttributeValue[];
  variants: PortableVariant[];
};

const pageMetadataProjection = projection<MetaData>()(pageMetadata, {
  slug: (row) => text(row.slug),
  pageTitle: (row) => text(row.pageTitle),
  description: (row) => text(row.description),
  canonicals: (row) => texts(row.canonicals),
  disableIndex: (row) => boolean(row.disableIndex),
  redirectTo: (row) => text(row.redirectTo),
  metadataOverrides: (row, scope) => document<unknown[]>(scope, row.metadataOverrides),
  translations: (row, scope) => document<unknown[]>(scope, row.translations),
});

const ancestorProjection = projection<Ancestor>()(category, {
  name: (row) => text(row.name),
  description: (row) => text(row.description),
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
  const lists = sql`${sql.identifier(PAGE)}, ${listElements(row.variantTypes)} as listed(use)`;
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
  return placeholder(scope, sql`coalesce(${row.variantTypes}::text, '[]')`, (stored, page) => {
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
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  deleted: (row) => boolean(row.deleted),
  name: (row) => text(row.name),
  type: (row) => enumValue(row.type),
  version: (row) => integer(row.version),
  updatedAt: (row) => timestamp(row.updatedAt),
  stockUpdatedAt: (row, scope) => lastStockUpdate(row, scope),
  brand: (row, scope) => belongsTo(scope, brandProjection, row.brandId, isNotDeleted),
  brandId: (row) => id(row.brandId),
  categoryIds: (row) => texts(row.categoryIds),
  tagIds: (row) => texts(row.tagIds),
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
  baseUnit: (row, scope) => document<object>(scope, row.baseUnit),
  translations: (row, scope) => document<Translation[]>(scope, row.translations),
  releaseDate: (row) => timestamp(row.releaseDate),
  productOptionSetId: (row) => text(row.productOptionSetId),
  productVolumeDiscountId: (row) => text(row.productVolumeDiscountId),
  subscriptionPlanId: (row) => text(row.subscriptionPlanId),
  dynamicPriceListIds: (row) => texts(row.dynamicPriceListIds),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  hiddenSalesChannelIds: (row) => texts(row.hiddenSalesChannelIds),
  salesChannels: (row, scope) => documents<StoredSalesChannel>(scope, row.salesChannels),
  groupVariantsBy: (row, scope) => belongsTo(scope, typeProjection, row.groupVariantsByVariantTypeId, isNotDeleted),
  attributes: (row, scope) => documents<StoredAttributeValue>(scope, row.attributes),
  variants: (row, scope) =>
    hasMany(scope, portableVariantProjection, (variant) => ({
      where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`],
      orderBy: [sql`${variant.position}`],
    })),
});
