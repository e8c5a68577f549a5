import { type SQL, sql } from 'drizzle-orm';
import { alias, type AnyPgColumn, type PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../drizzle/index.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';

export type RemovedTable = PgTable & { merchantId: AnyPgColumn };

/**
 * The tables of a merchant, in the order in which their rows are deleted: each after those that refer to it. The first ones
 * end the work of the worker. Movements and holds go before their counts, and what a trigger would look up for each record
 * before the record.
 */
export const REMOVED_TABLES: readonly RemovedTable[] = [
  tables.revertRun,
  tables.bulkOperationImage,
  tables.bulkOperation,
  tables.webhookDelivery,
  tables.webhookRecord,
  tables.webhookChange,
  tables.webhookAttemptCount,
  tables.webhook,
  tables.idempotencyKey,
  tables.idempotencyUsage,
  tables.membershipPendingCategory,
  tables.membershipRecheck,
  tables.category,
  tables.membershipPendingProduct,
  tables.membershipLock,
  tables.stockMovement,
  tables.stockHold,
  tables.stockKey,
  tables.productStockLocation,
  tables.stockLocation,
  tables.productPrice,
  tables.productSearch,
  tables.pageMetadata,
  tables.variant,
  tables.product,
  tables.categoryProduct,
  tables.productSearchPending,
  tables.productSearchWord,
  tables.customer,
  tables.customerCounter,
  tables.salesChannel,
  tables.priceList,
  tables.productAttributeOption,
  tables.productAttribute,
  tables.productBrand,
  tables.productTag,
  tables.variantValue,
  tables.variantType,
  tables.image,
  tables.changePart,
  tables.change,
  tables.changedRecord,
  tables.changeSet,
  tables.changeTransaction,
  tables.erasure,
  tables.schemaUsage,
  tables.clientOperation,
];

/** The last tables. Until then a repeated removal finds the merchant, and when its apps were revoked. */
export const LAST_REMOVED_TABLES: readonly RemovedTable[] = [
  tables.accessToken,
  tables.signInCode,
  tables.appPointBucket,
  tables.authorizedApp,
  tables.merchant,
];

/** A condition on rows that can be deleted without the others: a category, if no other one is below it. */
export function removableRows(ctx: Tenant, table: RemovedTable): SQL {
  if (table !== tables.category) return sql`true`;
  const child = alias(tables.category, 'child');
  return sql`not exists (
    select from ${tables.category} as child where ${ownedBy(ctx, child)} and ${child.parentId} = ${tables.category.id})`;
}
