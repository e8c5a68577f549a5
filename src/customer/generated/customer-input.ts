// Written by `npm run codegen` from schema/customer.graphql. Do not edit.
import { z } from 'zod';
import { amount, distinct, id, instant, list, measure, name, ownId, text, trimmed } from '../../field-input.ts';

const customerPriceListRuleFilterTypeEnum = z.enum(['CATEGORY', 'PRODUCT', 'PRODUCT_BRAND', 'PRODUCT_TAG']);

const customerPriceListRuleValueTypeEnum = z.enum(['DISCOUNT_AMOUNT', 'DISCOUNT_RATE', 'FIXED_PRICE']);

const customerGenderTypeEnum = z.enum(['FEMALE', 'MALE', 'OTHER']);

const customerAccountStatusEnum = z.enum(['ACTIVE_ACCOUNT', 'DEACTIVATED_ACCOUNT', 'DECLINED_ACCOUNT_INVITATION', 'DISABLED_ACCOUNT', 'INVITED_TO_CREATE_ACCOUNT']);

const customerB2BStatusEnum = z.enum(['ACTIVE_ACCOUNT', 'DISABLED_ACCOUNT', 'WAITING_FOR_APPROVAL']);

const customerRegistrationSourceEnum = z.enum(['apple', 'credentials', 'facebook', 'google', 'sms', 'twitch']);

const customerEmailSubscriptionStatusesEnum = z.enum(['NOT_SUBSCRIBED', 'PENDING_CONFIRMATION', 'SUBSCRIBED']);

export const customerAttributeValueInput = z.object({
  customerAttributeId: text().nullish(),
  customerAttributeOptionId: text().nullish(),
  value: text().nullish(),
});
export type CustomerAttributeValueInput = z.output<typeof customerAttributeValueInput>;

export const customerAddressCityInput = z.object({
  id: text().nullish(),
  code: text().nullish(),
  name: trimmed(255),
});
export type CustomerAddressCityInput = z.output<typeof customerAddressCityInput>;

export const customerAddressCountryInput = z.object({
  id: text().nullish(),
  code: text().nullish(),
  iso2: text().nullish(),
  iso3: text().nullish(),
  name: trimmed(255),
});
export type CustomerAddressCountryInput = z.output<typeof customerAddressCountryInput>;

export const customerAddressDistrictInput = z.object({
  id: text().nullish(),
  code: text().nullish(),
  name: trimmed(255).nullish(),
});
export type CustomerAddressDistrictInput = z.output<typeof customerAddressDistrictInput>;

export const customerAddressStateInput = z.object({
  id: text().nullish(),
  code: text().nullish(),
  name: trimmed(255).nullish(),
});
export type CustomerAddressStateInput = z.output<typeof customerAddressStateInput>;

export const customerAddressRegionInput = z.object({
  id: text(255).nullish(),
  name: trimmed(255),
  deleted: z.boolean().nullish(),
});
export type CustomerAddressRegionInput = z.output<typeof customerAddressRegionInput>;

export const customerAddressInput = z.object({
  id: ownId(),
  title: trimmed(255),
  firstName: trimmed(255),
  lastName: trimmed(255),
  addressLine1: text(),
  addressLine2: text().nullish(),
  company: text().nullish(),
  phone: text().nullish(),
  postalCode: text().nullish(),
  identityNumber: text().nullish(),
  taxNumber: text().nullish(),
  taxOffice: text().nullish(),
  isDefault: z.boolean().nullish(),
  attributes: list(customerAttributeValueInput, 1000).nullish(),
  city: customerAddressCityInput,
  country: customerAddressCountryInput,
  district: customerAddressDistrictInput.nullish(),
  state: customerAddressStateInput.nullish(),
  region: customerAddressRegionInput.nullish(),
  deleted: z.boolean().nullish(),
});
export type CustomerAddressInput = z.output<typeof customerAddressInput>;

export const customerPriceListRuleFilterInput = z.object({
  type: customerPriceListRuleFilterTypeEnum,
  valueList: list(text(), 1000),
});
export type CustomerPriceListRuleFilterInput = z.output<typeof customerPriceListRuleFilterInput>;

export const customerPriceListRuleInput = z.object({
  discountRate: measure().nullish(),
  filters: list(customerPriceListRuleFilterInput, 1000).nullish(),
  priceListId: id().nullish(),
  shouldMatchAllFilters: z.boolean().nullish(),
  value: amount(),
  valueType: customerPriceListRuleValueTypeEnum,
});
export type CustomerPriceListRuleInput = z.output<typeof customerPriceListRuleInput>;

export const customerInput = z.object({
  id: ownId(),
  firstName: name(255),
  lastName: trimmed(255).nullish(),
  email: trimmed(255).nullish(),
  phone: text(255).nullish(),
  note: text().nullish(),
  ip: text().nullish(),
  userAgent: text().nullish(),
  preferredLanguage: text().nullish(),
  priceListId: id().nullish(),
  lastPriceListId: id().nullish(),
  lastStorefrontRoutingId: text().nullish(),
  isEmailVerified: z.boolean().nullish(),
  isPhoneVerified: z.boolean().nullish(),
  birthDate: instant().nullish(),
  accountStatusUpdatedAt: instant().nullish(),
  passwordUpdateDate: instant().nullish(),
  subscriptionStatusUpdatedAt: instant().nullish(),
  smsSubscriptionStatusUpdatedAt: instant().nullish(),
  phoneSubscriptionStatusUpdatedAt: instant().nullish(),
  tagIds: list(text(), 1000).nullish(),
  customerGroupIds: list(text(), 1000).nullish(),
  customerSegmentIds: list(text(), 1000).nullish(),
  gender: customerGenderTypeEnum.nullish(),
  accountStatus: customerAccountStatusEnum.nullish(),
  b2bStatus: customerB2BStatusEnum.nullish(),
  registrationSource: customerRegistrationSourceEnum.nullish(),
  subscriptionStatus: customerEmailSubscriptionStatusesEnum.nullish(),
  smsSubscriptionStatus: customerEmailSubscriptionStatusesEnum.nullish(),
  phoneSubscriptionStatus: customerEmailSubscriptionStatusesEnum.nullish(),
  addresses: list(customerAddressInput, 1000).superRefine(distinct('id')).nullish(),
  attributes: list(customerAttributeValueInput, 1000).nullish(),
  priceListRules: list(customerPriceListRuleInput, 1000).nullish(),
  erasureBlockedUntil: instant().nullish(),
  deleted: z.boolean().nullish(),
});
export type CustomerInput = z.output<typeof customerInput>;
