import { z } from 'zod';
import {
  customerAccountStatuses,
  customerRegistrationSources,
  customerSubscriptionStatuses,
} from '../../drizzle/customer.ts';
import { amount, id, instant, measure, MAX_NAME_LENGTH, name, ownId, text, trimmed } from '../field-input.ts';

const MAX_LIST_ENTRIES = 1_000;

const list = <T extends z.ZodType>(element: T) =>
  z.array(element).max(MAX_LIST_ENTRIES, `must have at most ${MAX_LIST_ENTRIES} entries`);
const place = { id: text().nullish(), code: text().nullish() };

const attributeValue = z.object({
  customerAttributeId: text().nullish(),
  customerAttributeOptionId: text().nullish(),
  value: text().nullish(),
});

const addressInput = z.object({
  id: ownId(),
  title: trimmed(),
  firstName: trimmed(),
  lastName: trimmed(),
  addressLine1: text(),
  addressLine2: text().nullish(),
  company: text().nullish(),
  phone: text().nullish(),
  postalCode: text().nullish(),
  identityNumber: text().nullish(),
  taxNumber: text().nullish(),
  taxOffice: text().nullish(),
  isDefault: z.boolean().nullish(),
  attributes: list(attributeValue).nullish(),
  city: z.object({ ...place, name: trimmed() }),
  country: z.object({ ...place, iso2: text().nullish(), iso3: text().nullish(), name: trimmed() }),
  district: z.object({ ...place, name: trimmed().nullish() }).nullish(),
  state: z.object({ ...place, name: trimmed().nullish() }).nullish(),
  region: z.object({ id: text(MAX_NAME_LENGTH).nullish(), name: trimmed(), deleted: z.boolean().nullish() }).nullish(),
  deleted: z.boolean().nullish(),
});

const priceListRule = z.object({
  discountRate: measure().nullish(),
  filters: list(
    z.object({
      type: z.enum(['CATEGORY', 'PRODUCT', 'PRODUCT_BRAND', 'PRODUCT_TAG']),
      valueList: list(text()),
    }),
  ).nullish(),
  priceListId: id().nullish(),
  shouldMatchAllFilters: z.boolean().nullish(),
  value: amount(),
  valueType: z.enum(['DISCOUNT_AMOUNT', 'DISCOUNT_RATE', 'FIXED_PRICE']),
});

export const customerInput = z.object({
  id: ownId(),
  firstName: name(),
  lastName: trimmed().nullish(),
  email: text(MAX_NAME_LENGTH).nullish(),
  phone: text(MAX_NAME_LENGTH).nullish(),
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
  tagIds: list(text()).nullish(),
  customerGroupIds: list(text()).nullish(),
  customerSegmentIds: list(text()).nullish(),
  gender: z.enum(['FEMALE', 'MALE', 'OTHER']).nullish(),
  accountStatus: z.enum(customerAccountStatuses).nullish(),
  b2bStatus: z.enum(['ACTIVE_ACCOUNT', 'DISABLED_ACCOUNT', 'WAITING_FOR_APPROVAL']).nullish(),
  registrationSource: z.enum(customerRegistrationSources).nullish(),
  subscriptionStatus: z.enum(customerSubscriptionStatuses).nullish(),
  smsSubscriptionStatus: z.enum(customerSubscriptionStatuses).nullish(),
  phoneSubscriptionStatus: z.enum(customerSubscriptionStatuses).nullish(),
  addresses: list(addressInput).superRefine(refuseRepeatedIds).nullish(),
  attributes: list(attributeValue).nullish(),
  priceListRules: list(priceListRule).nullish(),
  deleted: z.boolean().nullish(),
});

export type CustomerInput = z.infer<typeof customerInput>;
export type AddressInput = z.infer<typeof addressInput>;
export type AttributeValueInput = z.infer<typeof attributeValue>;

function refuseRepeatedIds(addresses: { id?: string | undefined }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { id }] of addresses.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must not occur twice' });
    seen.add(id);
  }
}
