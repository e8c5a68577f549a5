import { getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core';
import * as tables from '../drizzle/index.ts';
import type { ChangeRecordType } from '../drizzle/change.ts';
import { recordParts, type RecordPart } from '../src/change/record-parts.ts';

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
  /** A column whose movements are the changes of it, and the first one the creation of the row. */
  movedBy?: string;
  /** A column that, once it is set, removes the values of the record. That change is recorded without them. */
  erasedBy?: string;
};

/** What the history functions need beside the tables of records and their parts. */
const SPECIAL: ReadonlyMap<AnyPgTable, Partial<Recorded>> = new Map<AnyPgTable, Partial<Recorded>>([
  [
    tables.pageMetadata,
    {
      type: { PRODUCT: 'PRODUCT', CATEGORY: 'CATEGORY', BRAND: 'PRODUCT_BRAND' },
      typeColumn: tables.pageMetadata.targetType,
      hidden: ['targetType'],
    },
  ],
  [tables.productStockLocation, { hidden: ['lastMovementNumber'], movedBy: 'stockCount' }],
  [tables.customer, { hidden: ['erasureId'], erasedBy: tables.customer.erasureId.name }],
  [tables.category, { hidden: ['path'] }],
]);

const reverted = Object.entries(recordParts).flatMap(([type, parts]) =>
  (parts as readonly RecordPart[]).map(({ part, table, of }): Recorded => ({
    table,
    type: type as ChangeRecordType,
    ...(part !== '' && { part, of: (getTableColumns(table) as Record<string, AnyPgColumn>)[of]! }),
    ...SPECIAL.get(table),
  })),
);

export const RECORDED: readonly Recorded[] = [
  // Page metadata is a part of records of several types.
  ...new Map(reverted.map((recorded) => [recorded.table, recorded])).values(),
  { table: tables.webhook, type: 'WEBHOOK', hidden: ['givenUpInARow', 'probeId', 'probedAt'] },
  {
    table: tables.authorizedApp,
    type: 'AUTHORIZED_APP',
    hidden: ['clientSecretEncrypted', 'formerSecretEncrypted', 'lastUsedAt'],
  },
];
