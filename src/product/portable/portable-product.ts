import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../../drizzle/brand.ts';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { category } from '../../../drizzle/category.ts';
import { htmlMetaData } from '../../../drizzle/page-metadata.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import {
  type productTypes,
  product,
  type StoredImage,
  type StoredVariantType,
  type StoredVariantValue,
  variant,
} from '../../../drizzle/product.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import {
  boolean,
  decimal,
  documents,
  exists,
  type JsonExpression,
  id,
  hasMany,
  aliased,
  hasOne,
  PAGE,
  type SqlScope,
  belongsToMany,
  projection,
  sharedRecords,
  placeholder,
  type TenantTable,
  text,
  texts,
  enumValue,
} from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

type Named = { name: string };
type MetaData = { slug: string; pageTitle: string | null; description: string | null };
type Category = { name: string; ancestors: Named[] };
type UsedVariantType = { name: string; order: number; values: Named[] };
type UsedVariantValue = { typeName: string | null; name: string };
type Price = {
  priceListId: string | null;
  sellPrice: number;
  buyPrice: number | null;
  discountPrice: number | null;
  currency: string | null;
};
type Stock = { stockLocationId: string; stockCount: number };
type Image = { url: string | null; isMain: boolean; isVideo: boolean | null; order: number };
type RequestedImage = Image & { state: 'PENDING' | 'DONE' | 'FAILED' };

/** A variant as a bulk request would name it. */
export type PortableVariant = {
  id: string;
  sourceId: string | null;
  sku: string | null;
  barcodeList: string[];
  isActive: boolean;
  sellIfOutOfStock: boolean | null;
  weight: number | null;
  hsCode: string | null;
  prices: Price[];
  stocks: Stock[];
  variantValues: UsedVariantValue[];
  /** Those that came from an address. */
  images: Image[];
  /** Those that the latest request asked for, whatever became of them. */
  requestedImages: RequestedImage[];
};

/** A product by names instead of ids, as a bulk request would bring it. What of this is deleted is left out. */
export type PortableProduct = {
  id: string;
  sourceId: string | null;
  deleted: boolean;
  name: string;
  type: (typeof productTypes)[number];
  brand: string | null;
  categories: Category[];
  tags: Named[];
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

const metaDataShape = projection<MetaData>()(htmlMetaData, {
  slug: (row) => text(row.slug),
  pageTitle: (row) => text(row.pageTitle),
  description: (row) => text(row.description),
});

const ancestorShape = projection<Named>()(category, { name: (row) => text(row.name) });

const categoryShape = projection<Category>()(category, {
  name: (row) => text(row.name),
  ancestors: (row, scope) =>
    hasMany(scope, ancestorShape, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
});

const nameShape = <Table extends TenantTable & { name: AnyPgColumn }>(table: Table) =>
  projection<Named>()(table, { name: (row) => text(row.name as never) });
const tagShape = nameShape(productTag);
const brandShape = nameShape(productBrand);
const typeShape = nameShape(variantType);
const valueShape = nameShape(variantValue);

const NAME = { name: {} };

const stockShape = projection<Stock>()(productStockLocation, {
  stockLocationId: (row) => id(row.stockLocationId),
  stockCount: (row) => decimal(row.stockCount),
});

const requestedImageShape = projection<RequestedImage>()(bulkOperationImage, {
  url: (row) => text(row.url),
  isMain: (row) => boolean(row.isMain),
  isVideo: (row) => boolean(row.isVideo),
  order: (row) => decimal(row.order),
  state: (row) => enumValue(row.state),
});

type VariantRow = typeof variant;

const variantShape = projection<PortableVariant>()(variant, {
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  sku: (row) => text(row.sku),
  barcodeList: (row) => texts(row.barcodeList) as JsonExpression<string[]>,
  isActive: (row) => boolean(row.isActive),
  sellIfOutOfStock: (row) => boolean(row.sellIfOutOfStock),
  weight: (row) => decimal(row.weight),
  hsCode: (row) => text(row.hsCode),
  prices: (row, scope) => documents<Price>(scope, row.prices),
  stocks: (row, scope) =>
    hasMany(scope, stockShape, (stock) => ({
      where: [
        ...ofVariant(stock, row),
        sql`not ${stock.deleted}`,
        isThere(scope, stockLocation, stock.stockLocationId),
      ],
    })),
  variantValues: (row, scope) => usedVariantValues(row, scope),
  images: (row, scope) =>
    placeholder(scope, sql`coalesce(${row.images}::text, '[]')`, (stored) => {
      const images = JSON.parse(stored) as StoredImage[];
      return JSON.stringify(
        images.flatMap(({ sourceUrl: url, isMain, isVideo, order }) =>
          url === null ? [] : [{ url, isMain, isVideo, order }],
        ),
      );
    }),
  requestedImages: (row, scope) => requestedImages(row, scope),
});

/** A later request for pictures of the variant takes the place of an earlier one. */
function requestedImages(row: VariantRow, scope: SqlScope): JsonExpression<RequestedImage[]> {
  return hasMany(scope, requestedImageShape, (image) => ({
    where: [
      ...ofVariant(image, row),
      sql`not ${exists(scope, bulkOperationImage, (later) => [...ofVariant(later, row), sql`${later.bulkOperationId} > ${image.bulkOperationId}`])}`,
    ],
    orderBy: [sql`${image.order}`, sql`${image.id}`],
  }));
}

type Deletable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

function isThere(scope: SqlScope, table: Deletable, id: AnyPgColumn): SQL {
  return exists(scope, table, (row) => [sql`${row.id} = ${id}`, sql`not ${row.deleted}`]);
}

function ofVariant(row: typeof productStockLocation | typeof bulkOperationImage, owner: VariantRow): SQL[] {
  return [sql`${row.productId} = ${owner.productId}`, sql`${row.variantId} = ${owner.id}`];
}

const isThereStill = (row: Deletable): SQL[] => [sql`not ${row.deleted}`];

/** The option values of a variant by names. The values and their types are read once for the page. */
function usedVariantValues(row: VariantRow, scope: SqlScope): JsonExpression<UsedVariantValue[]> {
  const names = { ...scope, selection: NAME };
  const used = (member: string): SQL => {
    const { row: owner, from } = aliased(scope, variant);
    const lists = sql`select json_texts(${owner.variantValues}, ${sql.raw(`'${member}'`)})::uuid[] from ${sql.identifier(PAGE)} join ${from}
      on ${ownedBy(scope.tenant, owner)} and ${owner.productId} = ${sql.identifier(PAGE)}.id and ${owner.variantValues} is not null`;
    return sql`select unnest(ids) from (${lists}) as used(ids)`;
  };
  const types = sharedRecords(names, typeShape, used('variantTypeId'));
  const values = sharedRecords(names, valueShape, used('variantValueId'), isThereStill);
  return placeholder(scope, sql`coalesce(${row.variantValues}::text, '[]')`, (stored, page) => {
    const used = JSON.parse(stored) as StoredVariantValue[];
    return JSON.stringify(
      used.flatMap(({ variantTypeId, variantValueId }) => {
        const value = page.record(values, variantValueId) as Named | undefined;
        const type = page.record(types, variantTypeId) as Named | undefined;
        return value ? [{ typeName: type?.name ?? null, name: value.name }] : [];
      }),
    );
  });
}

function usedVariantTypes(row: typeof product, scope: SqlScope): JsonExpression<UsedVariantType[]> {
  const names = { ...scope, selection: NAME };
  const lists = sql`${sql.identifier(PAGE)}, json_array_elements(${row.variantTypes}) as listed(use)`;
  const types = sharedRecords(
    names,
    typeShape,
    sql`select (use ->> 'variantTypeId')::uuid from ${lists}`,
    isThereStill,
  );
  const values = sharedRecords(
    names,
    valueShape,
    sql`select value_id::uuid from ${lists}, json_array_elements_text(use -> 'variantValueIds') as used(value_id)`,
    isThereStill,
  );
  return placeholder(scope, sql`coalesce(${row.variantTypes}::text, '[]')`, (stored, page) => {
    const used = JSON.parse(stored) as StoredVariantType[];
    return JSON.stringify(
      used.flatMap(({ variantTypeId, order, variantValueIds }) => {
        const type = page.record(types, variantTypeId) as Named | undefined;
        return type
          ? [
              {
                name: type.name,
                order,
                values: variantValueIds.flatMap((id) => (page.record(values, id) as Named | undefined) ?? []),
              },
            ]
          : [];
      }),
    );
  });
}

export const portableProductShape = projection<PortableProduct>()(product, {
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  deleted: (row) => boolean(row.deleted),
  name: (row) => text(row.name),
  type: (row) => enumValue(row.type),
  brand: (row, scope) => {
    const place = sharedRecords(
      { ...scope, selection: NAME },
      brandShape,
      sql`select ${row.brandId} from ${sql.identifier(PAGE)}`,
      isThereStill,
    );
    return placeholder(scope, sql`coalesce(${row.brandId}::text, '')`, (id, page) =>
      JSON.stringify((page.record(place, id) as Named | undefined)?.name ?? null),
    );
  },
  categories: (row, scope) => belongsToMany(scope, categoryShape, row.categoryIds, isThereStill),
  tags: (row, scope) => belongsToMany(scope, tagShape, row.tagIds, isThereStill),
  variantTypes: (row, scope) => usedVariantTypes(row, scope),
  metaData: (row, scope) => hasOne(scope, metaDataShape, (metaData) => [sql`${metaData.targetId} = ${row.id}`]),
  description: (row) => text(row.description),
  shortDescription: (row) => text(row.shortDescription),
  googleTaxonomyId: (row) => text(row.googleTaxonomyId),
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  vendorId: (row) => text(row.vendorId),
  weight: (row) => decimal(row.weight),
  variants: (row, scope) =>
    hasMany(scope, variantShape, (variant) => ({
      where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`],
      orderBy: [sql`${variant.position}`],
    })),
});
