import { expect } from 'vitest';

/** A statement that gives an erased customer a value. A node of a cluster names the constraint only in the message. */
export const REFUSED_BY_DATABASE = {
  cause: { code: '23514', message: expect.stringContaining('violates check constraint "customer_erased"') as string },
};

/**
 * A customer with a value in every member of CustomerInput that can hold one. Each text occurs nowhere else: `mark` is
 * part of it.
 */
export function person(mark: string, priceListId?: string) {
  const text = (name: string): string => `${name} ${mark}`;
  return {
    firstName: text('first'),
    lastName: text('last'),
    email: `mail-${mark}@example.com`,
    phone: `+90 555 ${mark}`,
    note: text('note "quoted" \\ ç'),
    ip: `2001:db8::${mark}`,
    userAgent: text('agent'),
    preferredLanguage: `x-${mark}`,
    lastStorefrontRoutingId: text('routing'),
    ...(priceListId && { priceListId, lastPriceListId: priceListId }),
    isEmailVerified: true,
    isPhoneVerified: true,
    birthDate: 1,
    accountStatusUpdatedAt: 2,
    passwordUpdateDate: 3,
    subscriptionStatusUpdatedAt: 4,
    smsSubscriptionStatusUpdatedAt: 5,
    phoneSubscriptionStatusUpdatedAt: 6,
    tagIds: [text('tag')],
    customerGroupIds: [text('group')],
    customerSegmentIds: [text('segment')],
    gender: 'FEMALE',
    accountStatus: 'ACTIVE_ACCOUNT',
    b2bStatus: 'ACTIVE_ACCOUNT',
    registrationSource: 'apple',
    subscriptionStatus: 'SUBSCRIBED',
    smsSubscriptionStatus: 'SUBSCRIBED',
    phoneSubscriptionStatus: 'SUBSCRIBED',
    addresses: [
      {
        title: text('title'),
        firstName: text('address first'),
        lastName: text('address last'),
        addressLine1: text('line'),
        identityNumber: text('identity'),
        city: { name: text('city') },
        country: { name: text('country') },
        region: { name: text('region') },
      },
    ],
    attributes: [{ customerAttributeId: text('attribute'), value: text('value') }],
    priceListRules: [{ value: 1, valueType: 'FIXED_PRICE', filters: [{ type: 'PRODUCT', valueList: [text('rule')] }] }],
  };
}
