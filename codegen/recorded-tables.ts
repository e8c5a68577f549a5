import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core';
import * as tables from '../drizzle/index.ts';
import type { ChangeRecordType } from '../drizzle/change.ts';

/**
 * A table whose changes are recorded in the history. Some tables store parts of a record, as `variant` does of a
 * product: then the column `of` has the id of the record, and the paths of changed members begin with `part`.
 */
export type Recorded = {
  table: AnyPgTable;
  type: ChangeRecordType | Readonly<Record<string, ChangeRecordType>>;
  part?: string;
  of?: AnyPgColumn;
  /** The column that decides the type of the record. */
  typeColumn?: AnyPgColumn;
  /** Columns that no change shows: secrets, and what is derived or counted. */
  hidden?: readonly string[];
  /** A column that, once it is set, removes the values of the record. That change is recorded without them. */
  erasedBy?: string;
  /** Members that have another name in the SDL than their column. */
  renamed?: Readonly<Record<string, string>>;
};

export const RECORDED: readonly Recorded[] = [
  { table: tables.product, type: 'PRODUCT' },
  { table: tables.variant, type: 'PRODUCT', part: 'variants', of: tables.variant.productId },
  {
    table: tables.pageMetadata,
    type: { PRODUCT: 'PRODUCT', CATEGORY: 'CATEGORY', BRAND: 'PRODUCT_BRAND' },
    typeColumn: tables.pageMetadata.targetType,
    part: 'metaData',
    of: tables.pageMetadata.targetId,
    hidden: ['targetType'],
  },
  {
    table: tables.productStockLocation,
    type: 'PRODUCT_STOCK_LOCATION',
    hidden: ['lastMovementNumber', 'lastMovementMs'],
  },
  {
    table: tables.customer,
    type: 'CUSTOMER',
    hidden: ['erasureId'],
    erasedBy: tables.customer.erasureId.name,
    renamed: { sequence: 'customerSequence' },
  },
  { table: tables.category, type: 'CATEGORY', hidden: ['path'] },
  { table: tables.productBrand, type: 'PRODUCT_BRAND' },
  { table: tables.productTag, type: 'PRODUCT_TAG' },
  { table: tables.productAttribute, type: 'PRODUCT_ATTRIBUTE' },
  {
    table: tables.productAttributeOption,
    type: 'PRODUCT_ATTRIBUTE',
    part: 'options',
    of: tables.productAttributeOption.attributeId,
  },
  { table: tables.variantType, type: 'PRODUCT_VARIANT_TYPE' },
  { table: tables.variantValue, type: 'PRODUCT_VARIANT_TYPE', part: 'values', of: tables.variantValue.variantTypeId },
  { table: tables.priceList, type: 'PRICE_LIST' },
  { table: tables.salesChannel, type: 'SALES_CHANNEL' },
  { table: tables.stockLocation, type: 'STOCK_LOCATION' },
  { table: tables.webhook, type: 'WEBHOOK', hidden: ['givenUpInARow'] },
  {
    table: tables.authorizedApp,
    type: 'AUTHORIZED_APP',
    hidden: ['clientSecretEncrypted', 'formerSecretEncrypted', 'lastUsedAt'],
  },
];
