import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import {
  amount,
  document,
  instant,
  merchantId,
  recordColumns,
  recordForeignKey,
  SMALL_PENDING_LIST,
  withoutCase,
} from './columns.ts';
import {
  customerAccountStatusEnum,
  customerB2BStatusEnum,
  customerEmailSubscriptionStatusesEnum,
  customerGenderTypeEnum,
  customerRegistrationSourceEnum,
} from './generated/enums.ts';
import { priceList } from './price-list.ts';
import { pgTable, recordTable } from './table.ts';

const FULL_NAME = `first_name || coalesce(' ' || nullif(last_name, ''), '')`;

/** What an erased customer has: neither values nor entries of lists. */
const HAS_NO_VALUES = `deleted and first_name = '' and num_nonnulls(sequence, last_name, email, phone, note, ip, user_agent,
    preferred_language, price_list_id, last_price_list_id, last_storefront_routing_id, order_count, total_order_price,
    first_order_date, last_order_date, is_email_verified, email_verified_date, is_phone_verified, phone_verified_date,
    birth_date, password_update_date, gender, account_status, account_status_updated_at, b2b_status,
    registration_source, subscription_status, subscription_status_updated_at, sms_subscription_status,
    sms_subscription_status_updated_at, phone_subscription_status, phone_subscription_status_updated_at,
    erasure_blocked_until) = 0
    and cardinality(tag_ids) = 0 and cardinality(customer_group_ids) = 0 and cardinality(customer_segment_ids) = 0
    and addresses::text = '[]' and attributes::text = '[]' and price_list_rules::text = '[]'`;

/**
 * Addresses, attribute values and price rules are documents in the customer's row: nothing refers to them, no list
 * filters by them, and an event contains the whole row.
 */
export const customer = recordTable(
  'customer',
  {
    /**
     * Null in rows written by plain SQL, until the service saves them: a trigger that assigns numbers would serialize
     * all writers of a merchant.
     */
    sequence: integer('sequence'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name'),
    fullName: text('full_name').notNull().generatedAlwaysAs(sql.raw(FULL_NAME)),
    email: text('email'),
    phone: text('phone'),
    note: text('note'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    preferredLanguage: text('preferred_language'),
    priceListId: uuid('price_list_id'),
    lastPriceListId: uuid('last_price_list_id'),
    lastStorefrontRoutingId: text('last_storefront_routing_id'),
    /** Null only after an erasure, as the total. */
    orderCount: integer('order_count').default(0),
    totalOrderPrice: amount('total_order_price').default(0),
    firstOrderDate: instant('first_order_date'),
    lastOrderDate: instant('last_order_date'),
    isEmailVerified: boolean('is_email_verified'),
    emailVerifiedDate: instant('email_verified_date'),
    isPhoneVerified: boolean('is_phone_verified'),
    phoneVerifiedDate: instant('phone_verified_date'),
    birthDate: instant('birth_date'),
    passwordUpdateDate: instant('password_update_date'),
    gender: text('gender', { enum: customerGenderTypeEnum }),
    accountStatus: text('account_status', { enum: customerAccountStatusEnum }),
    accountStatusUpdatedAt: instant('account_status_updated_at'),
    b2bStatus: text('b2b_status', { enum: customerB2BStatusEnum }),
    registrationSource: text('registration_source', { enum: customerRegistrationSourceEnum }),
    subscriptionStatus: text('subscription_status', { enum: customerEmailSubscriptionStatusesEnum }),
    subscriptionStatusUpdatedAt: instant('subscription_status_updated_at'),
    smsSubscriptionStatus: text('sms_subscription_status', { enum: customerEmailSubscriptionStatusesEnum }),
    smsSubscriptionStatusUpdatedAt: instant('sms_subscription_status_updated_at'),
    phoneSubscriptionStatus: text('phone_subscription_status', { enum: customerEmailSubscriptionStatusesEnum }),
    phoneSubscriptionStatusUpdatedAt: instant('phone_subscription_status_updated_at'),
    tagIds: text('tag_ids').array(),
    customerGroupIds: text('customer_group_ids').array(),
    customerSegmentIds: text('customer_segment_ids').array(),
    addresses: document<unknown[]>('addresses'),
    attributes: document<unknown[]>('attributes'),
    priceListRules: document<unknown[]>('price_list_rules'),
    /** The text that `search` matches, one part per line, so that no match spans two parts. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql.raw(`fold(${FULL_NAME} || coalesce(chr(10) || email, '') || coalesce(chr(10) || phone, ''))`),
      ),
    /** Until then the customer is not erased. */
    erasureBlockedUntil: instant('erasure_blocked_until'),
    /** The receipt of the erasure. An erased customer keeps only its id and times. */
    erasureId: uuid('erasure_id'),
    ...recordColumns(),
  },
  (t) => [
    index('customer_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    index('customer_updated').on(t.merchantId, sql`${t.updatedAt} desc`, t.id),
    index('customer_first_name').on(t.merchantId, sql`${t.firstName} collate "und-x-icu"`, t.id),
    index('customer_email').on(t.merchantId, withoutCase(sql`${t.email}`)),
    index('customer_phone').on(t.merchantId, t.phone),
    index('customer_search').using('gin', t.merchantId, t.searchText.op('gin_trgm_ops')).with(SMALL_PENDING_LIST),
    // The upkeep finds the customers by it that were deleted long ago.
    index('customer_deleted')
      .on(t.merchantId, t.updatedAt)
      .where(sql`deleted and erasure_id is null`),
    // No writer, plain SQL included, brings values back.
    check('customer_erased', sql.raw(`erasure_id is null or (${HAS_NO_VALUES})`)),
    recordForeignKey('customer_price_list_fk', t, t.priceListId, priceList),
    recordForeignKey('customer_last_price_list_fk', t, t.lastPriceListId, priceList),
  ],
);

/** The last customer number of the merchant. The row lock makes numbers consecutive. */
export const customerCounter = pgTable(
  'customer_counter',
  { merchantId: merchantId(), value: integer('value').notNull() },
  (t) => [primaryKey({ columns: [t.merchantId] })],
);
