import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { ChangeRecordType } from '../../drizzle/change.ts';
import * as tables from '../../drizzle/index.ts';
import type { StampedTable } from '../db/write/touch.ts';

type PartTable = StampedTable & { deleted: AnyPgColumn };

/**
 * A table whose rows are a record, if `part` is empty, or a part of it. `of`: the member with the record's id. `constant`:
 * members that have the same value in all rows of the part, and that changes do not show.
 */
export type RecordPart = {
  readonly part: string;
  readonly table: PartTable;
  readonly of: string;
  readonly constant?: Readonly<Record<string, string>>;
};

const own = (table: PartTable): RecordPart => ({ part: '', table, of: 'id' });
const metaData = (targetType: typeof tables.pageMetadata.$inferInsert.targetType): RecordPart => ({
  part: 'metaData',
  table: tables.pageMetadata,
  of: 'targetId',
  constant: { targetType },
});

/** The tables of the records whose changes can be taken back, the record's own one first. */
export const recordParts = {
  PRODUCT: [own(tables.product), { part: 'variants', table: tables.variant, of: 'productId' }, metaData('PRODUCT')],
  PRODUCT_STOCK_LOCATION: [own(tables.productStockLocation)],
  CUSTOMER: [own(tables.customer)],
  CATEGORY: [own(tables.category), metaData('CATEGORY')],
  PRODUCT_BRAND: [own(tables.productBrand), metaData('BRAND')],
  PRODUCT_TAG: [own(tables.productTag)],
  PRODUCT_ATTRIBUTE: [
    own(tables.productAttribute),
    { part: 'options', table: tables.productAttributeOption, of: 'attributeId' },
  ],
  PRODUCT_VARIANT_TYPE: [own(tables.variantType), { part: 'values', table: tables.variantValue, of: 'variantTypeId' }],
  PRICE_LIST: [own(tables.priceList)],
  SALES_CHANNEL: [own(tables.salesChannel)],
  STOCK_LOCATION: [own(tables.stockLocation)],
} as const satisfies Partial<Record<ChangeRecordType, readonly RecordPart[]>>;

export function partNamed(recordType: keyof typeof recordParts, name: string): RecordPart | undefined {
  const parts: readonly RecordPart[] = recordParts[recordType];
  return parts.find(({ part }) => part === name);
}

/** Members that have another name in changes than their column in drizzle/. */
const RENAMED: Readonly<Record<string, string>> = { customerSequence: 'sequence' };

/** The name in drizzle/ of a member of a change. */
export function columnOf(member: string): string {
  return RENAMED[member] ?? member;
}

const MEMBERS: ReadonlyMap<string, string> = new Map(Object.entries(RENAMED).map(([member, name]) => [name, member]));

/** The name in changes of a column of drizzle/. */
export function changeMember(name: string): string {
  return MEMBERS.get(name) ?? name;
}
