import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { ChangeRecordType } from '../../drizzle/change.ts';
import * as tables from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import type { TenantTable } from '../db/read/projection.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { NamedTable } from '../db/write/find-or-create.ts';

/** A column by which people know a record, the column of its table with the record's id, and which rows are meant. */
type Key = { table: TenantTable; key: AnyPgColumn; id: AnyPgColumn; condition?: SQL };

const {
  product,
  productStockLocation,
  variant,
  pageMetadata,
  customer,
  category,
  productBrand,
  productTag,
  productAttribute,
} = tables;
const { variantType, priceList, salesChannel, stockLocation, authorizedApp, webhook } = tables;

const named = (table: NamedTable): Key => ({ table, key: table.name, id: table.id });
/** One table has the slugs of all kinds of records. */
const slugOf = (kind: 'PRODUCT' | 'CATEGORY' | 'BRAND'): Key => ({
  table: pageMetadata,
  key: pageMetadata.slug,
  id: pageMetadata.targetId,
  condition: eq(pageMetadata.targetType, kind),
});

const KEYS: Readonly<Record<ChangeRecordType, readonly Key[]>> = {
  PRODUCT: [{ table: variant, key: variant.sku, id: variant.productId }, slugOf('PRODUCT'), named(product)],
  PRODUCT_STOCK_LOCATION: [],
  CUSTOMER: [
    { table: customer, key: customer.email, id: customer.id },
    { table: customer, key: customer.phone, id: customer.id },
    { table: customer, key: customer.fullName, id: customer.id },
  ],
  CATEGORY: [named(category), slugOf('CATEGORY')],
  PRODUCT_BRAND: [named(productBrand), slugOf('BRAND')],
  PRODUCT_TAG: [named(productTag)],
  PRODUCT_ATTRIBUTE: [named(productAttribute)],
  PRODUCT_VARIANT_TYPE: [named(variantType)],
  PRICE_LIST: [named(priceList)],
  SALES_CHANNEL: [named(salesChannel)],
  STOCK_LOCATION: [named(stockLocation)],
  WEBHOOK: [{ table: webhook, key: webhook.scope, id: webhook.id }],
  AUTHORIZED_APP: [named(authorizedApp)],
};

/**
 * The ids of the records that people mean by a text: an id, or the sku, slug or name of a product, the name or slug of a
 * category or brand, the sku of a stock count's variant, the e-mail address, phone number or name of a customer, the
 * scope of a webhook, the name of any other record. The first key that finds records decides. An id is returned even if
 * the record is gone, because its changes stay.
 */
export async function findRecords(ctx: MerchantContext, recordType: ChangeRecordType, text: string): Promise<string[]> {
  if (isId(text)) return [text];
  for (const { table, key, id, condition } of KEYS[recordType]) {
    const where = and(ownedBy(ctx, table), eq(key, text), condition);
    const found = await readIds(
      ctx,
      sql`select distinct ${id} as "id" from ${table} where ${where} order by 1 limit 200`,
    );
    if (found.length > 0) return found;
  }
  return recordType === 'PRODUCT_STOCK_LOCATION' ? await stockOfSku(ctx, text) : [];
}

async function stockOfSku(ctx: MerchantContext, sku: string): Promise<string[]> {
  return await readIds(
    ctx,
    sql`
    select ${productStockLocation.id} as "id" from ${variant}
    join ${productStockLocation} on ${ownedBy(ctx, productStockLocation)}
      and ${productStockLocation.variantId} = ${variant.id}
    where ${ownedBy(ctx, variant)} and ${variant.sku} = ${sku} order by 1 limit 200`,
  );
}
