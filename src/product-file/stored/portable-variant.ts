import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { variant } from '../../../drizzle/product.ts';
import type {
  StoredAttributeValue,
  StoredBundle,
  StoredImage,
  StoredVariantValue,
} from '../../../drizzle/product-values.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { documents } from '../../db/read/fields.ts';
import { exists, hasMany, sharedRecords } from '../../db/read/relations.ts';
import {
  type JsonExpression,
  aliased,
  PAGE,
  type SqlScope,
  projection,
  placeholder,
} from '../../db/read/projection.ts';
import { storedObjects } from '../../db/read/stored-list.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { variantProjection } from '../../product/variant.ts';
import type { Variant } from '../../graphql/generated/types.ts';
import { sameFields, type VariantMembers } from './own-members.ts';
import { addressOf } from '../../product/stored/image-address.ts';
import { type Deletable, isNotDeleted, NAME, typeProjection, valueProjection, type WithName } from './record-names.ts';

const ID_LENGTH = 36;

type UsedVariantValue = { typeName: string | null; name: string };
type Price = {
  priceListId: string | null;
  sellPrice: number;
  buyPrice: number | null;
  discountPrice: number | null;
  currency: string | null;
};
type Stock = { stockLocationId: string; stockCount: number };
type Image = { url: string; isMain: boolean; isVideo: boolean | null; order: number };
type RequestedImage = Image & { state: 'PENDING' | 'DONE' | 'FAILED' };

/** A stored variant with the names of its option values. */
export type PortableVariant = VariantMembers & {
  id: string;
  barcodeList: string[];
  attributes: StoredAttributeValue[];
  bundleSettings: StoredBundle | null;
  prices: Price[];
  stocks: Stock[];
  variantValues: UsedVariantValue[];
  /** Images by the address they were fetched from; uploaded ones by their path in this service. */
  images: Image[];
  /** Images that the latest bulk request asked for, in any state. */
  requestedImages: RequestedImage[];
};

const stockProjection = projection<Stock>()(productStockLocation, {});

const requestedImageProjection = projection<RequestedImage>()(bulkOperationImage, {});

type VariantRow = typeof variant;

export const portableVariantProjection = projection<PortableVariant>()(variant, {
  ...sameFields<PortableVariant, Variant, typeof variant>(variantProjection),
  prices: (row, scope) => documents<Price>(scope, row.prices),
  stocks: (row, scope) =>
    hasMany(scope, stockProjection, (stock) => ({
      where: [
        ...ofVariant(stock, row),
        sql`not ${stock.deleted}`,
        referenceExists(scope, stockLocation, stock.stockLocationId),
      ],
    })),
  variantValues: (row, scope) => usedVariantValues(row, scope),
  images: (row, scope) =>
    // The merchant is part of the text: a statement is compiled once for all merchants.
    placeholder(scope, sql`${row.merchantId} || coalesce(${row.images}::text, '[]')`, (stored) => {
      const merchantId = stored.slice(0, ID_LENGTH);
      const images = storedObjects<StoredImage>(stored.slice(ID_LENGTH));
      return JSON.stringify(
        images.flatMap(({ isMain, isVideo, order, ...image }) => {
          const url = addressOf(merchantId, image);
          return url === null ? [] : [{ url, isMain, isVideo, order }];
        }),
      );
    }),
  requestedImages: (row, scope) => requestedImages(row, scope),
});

/** The images of the latest bulk request: it replaces earlier requests for the same variant. */
function requestedImages(row: VariantRow, scope: SqlScope): JsonExpression<RequestedImage[]> {
  return hasMany(scope, requestedImageProjection, (image) => ({
    where: [
      ...ofVariant(image, row),
      sql`not ${exists(scope, bulkOperationImage, (later) => [
        ...ofVariant(later, row),
        sql`${later.bulkOperationId} > ${image.bulkOperationId}`,
      ])}`,
    ],
    orderBy: [sql`${image.order}`, sql`${image.id}`],
  }));
}

function referenceExists(scope: SqlScope, table: Deletable, id: AnyPgColumn): SQL {
  return exists(scope, table, (row) => [sql`${row.id} = ${id}`, sql`not ${row.deleted}`]);
}

function ofVariant(row: typeof productStockLocation | typeof bulkOperationImage, owner: VariantRow): SQL[] {
  return [sql`${row.productId} = ${owner.productId}`, sql`${row.variantId} = ${owner.id}`];
}

/** The variant's option values by name. The values and their types are read once for the whole page. */
function usedVariantValues(row: VariantRow, scope: SqlScope): JsonExpression<UsedVariantValue[]> {
  const names = { ...scope, selection: NAME };
  const used = (member: string): SQL => {
    const { row: owner, from } = aliased(scope, variant);
    const lists = sql`
      select json_texts(${owner.variantValueIds}, ${sql.raw(`'${member}'`)})::uuid[]
      from ${sql.identifier(PAGE)} join ${from} on ${ownedBy(scope.tenant, owner)}
        and ${owner.productId} = ${sql.identifier(PAGE)}.id and not ${owner.deleted} and ${owner.variantValueIds} is not null`;
    return sql`select unnest(ids) from (${lists}) as used(ids)`;
  };
  const types = sharedRecords(names, typeProjection, used('variantTypeId'));
  const values = sharedRecords(names, valueProjection, used('variantValueId'), isNotDeleted);
  return placeholder(scope, sql`coalesce(${row.variantValueIds}::text, '[]')`, (stored, page) => {
    const used = storedObjects<StoredVariantValue>(stored);
    return JSON.stringify(
      used.flatMap(({ variantTypeId, variantValueId }) => {
        const value = page.record(values, variantValueId) as WithName | undefined;
        const type = page.record(types, variantTypeId) as WithName | undefined;
        return value ? [{ typeName: type?.name ?? null, name: value.name }] : [];
      }),
    );
  });
}
