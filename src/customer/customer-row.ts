import type { InferInsertModel } from 'drizzle-orm';
import type { customer } from '../../drizzle/customer.ts';
import { objectsOf } from '../db/read/stored-list.ts';
import type { StoredRow } from '../db/write/stored-rows.ts';
import { withoutUndefined } from '../field-input.ts';
import type { CustomerAddress } from '../graphql/generated/types.ts';
import { attributeValue, mergeAddresses } from './address.ts';
import { customerInput, type CustomerInput } from './generated/customer-input.ts';

export type StoredCustomer = StoredRow<typeof customer>;
type CustomerRow = Omit<InferInsertModel<typeof customer>, 'merchantId' | 'id' | 'sequence'>;

/** Members that are stored as they are sent. */
const plainMembers = customerInput
  .omit({
    id: true,
    isEmailVerified: true,
    isPhoneVerified: true,
    addresses: true,
    attributes: true,
    priceListRules: true,
    deleted: true,
  })
  .keyof().options;

/** The columns that the input sets. Computed columns such as the order totals are not among them. */
export function customerRow(input: CustomerInput, stored: StoredCustomer | null): CustomerRow {
  const plain = Object.fromEntries(
    plainMembers.map((name) => [name, input[name] === undefined ? (stored?.[name] ?? null) : input[name]]),
  );
  return {
    ...(plain as Pick<CustomerRow, (typeof plainMembers)[number]>),
    ...emailVerification(input, stored),
    ...phoneVerification(input, stored),
    addresses:
      input.addresses === undefined
        ? (stored?.addresses ?? null)
        : input.addresses && mergeAddresses(objectsOf<CustomerAddress>(stored?.addresses), input.addresses),
    attributes:
      input.attributes === undefined ? (stored?.attributes ?? null) : (input.attributes?.map(attributeValue) ?? null),
    priceListRules:
      input.priceListRules === undefined
        ? (stored?.priceListRules ?? null)
        : (input.priceListRules?.map(priceListRule) ?? null),
    deleted: input.deleted ?? stored?.deleted ?? false,
  };
}

function emailVerification({ isEmailVerified }: CustomerInput, stored: StoredCustomer | null) {
  const before = {
    isEmailVerified: stored?.isEmailVerified ?? null,
    emailVerifiedDate: stored?.emailVerifiedDate ?? null,
  };
  if (isEmailVerified === undefined || isEmailVerified === before.isEmailVerified) return before;
  return { isEmailVerified, emailVerifiedDate: isEmailVerified ? new Date().toISOString() : null };
}

function phoneVerification({ isPhoneVerified }: CustomerInput, stored: StoredCustomer | null) {
  const before = {
    isPhoneVerified: stored?.isPhoneVerified ?? null,
    phoneVerifiedDate: stored?.phoneVerifiedDate ?? null,
  };
  if (isPhoneVerified === undefined || isPhoneVerified === before.isPhoneVerified) return before;
  return { isPhoneVerified, phoneVerifiedDate: isPhoneVerified ? new Date().toISOString() : null };
}

function priceListRule(rule: NonNullable<CustomerInput['priceListRules']>[number]) {
  return {
    discountRate: null,
    filters: null,
    priceListId: null,
    shouldMatchAllFilters: null,
    ...withoutUndefined(rule),
  };
}
