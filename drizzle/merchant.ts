import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgSequence, primaryKey, text } from 'drizzle-orm/pg-core';
import { document, instant, merchantId, recordColumns } from './columns.ts';
import { merchantRegionEnum } from './generated/enums.ts';
import { pgTable } from './table.ts';

type MerchantAddressDocument = Record<string, unknown>;

/** The form of a BCP 47 tag. Some texts of this form are no tag: see `validLanguage`. */
const LANGUAGE_TAG = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$';

/** Not a default of the table: a distributed table cannot have a default from a sequence. */
export const merchantSequence = pgSequence('merchant_sequence');

/** A merchant's id is its `merchant_id`, so that this table is queried like every other. */
export const merchant = pgTable(
  'merchant',
  {
    merchantId: merchantId(),
    sequence: integer('sequence').notNull(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    merchantName: text('merchant_name'),
    phoneNumber: text('phone_number'),
    storeName: text('store_name'),
    region: text('region', { enum: merchantRegionEnum }),
    /** BCP 47. Null: the language of the region. */
    language: text('language'),
    /** ISO 4217. The currency of base prices that have none of their own. */
    currencyCode: text('currency_code').notNull().default('USD'),
    currencySymbol: text('currency_symbol').notNull().default('$'),
    /** When plain SQL gave the merchant another `currencyCode`; null if that never happened. Set by a trigger. */
    currencySince: instant('currency_since'),
    address: document<MerchantAddressDocument>('address'),
    billingAddress: document<MerchantAddressDocument>('billing_address'),
    /** Since when changes are recorded; null if they are not. */
    historySince: instant('history_since').default(sql`now()`),
    /** Whether the changes have more than HISTORY_MAX_BYTES. Further ones are recorded without values. */
    isHistoryFull: boolean('is_history_full').notNull().default(false),
    /** Whether the merchant has as many active holds as it may have. Measured by the worker. */
    isStockHeldFull: boolean('is_stock_held_full').notNull().default(false),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId] }),
    check('merchant_language_tag', sql`${t.language} ~ ${sql.raw(`'${LANGUAGE_TAG}'`)}`),
  ],
);
