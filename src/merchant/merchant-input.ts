import { z } from 'zod';
import { merchantRegionEnum, merchantSettingsAddressTypeEnum } from '../../drizzle/generated/enums.ts';
import { currencyCode, name, text } from '../field-input.ts';
import { isEmailAddress } from '../values/email-address.ts';
import { isLanguageTag } from './merchant-language.ts';

const MAX_EMAIL_LENGTH = 320;
const MAX_PHONE_LENGTH = 50;
const MAX_ADDRESS_LINE_LENGTH = 255;

const line = () => text(MAX_ADDRESS_LINE_LENGTH).nullish();
const place = z.object({ id: line(), code: line(), name: line() });

const address = z.object({
  addressLine1: line(),
  addressLine2: line(),
  city: place.nullish(),
  company: line(),
  country: place.extend({ iso2: line(), iso3: line() }).nullish(),
  district: place.nullish(),
  firstName: line(),
  lastName: line(),
  identityNumber: line(),
  postalCode: line(),
  state: place.nullish(),
  taxNumber: line(),
  taxOffice: line(),
  title: line(),
  type: z.enum(merchantSettingsAddressTypeEnum).nullish(),
  vkn: line(),
  verified: z.boolean().nullish(),
  verifiedAt: z.int().nullish(),
});

export const merchantInput = z.object({
  email: text(MAX_EMAIL_LENGTH).refine(isEmailAddress, 'must be an e-mail address'),
  firstName: name(),
  lastName: name(),
  merchantName: name().nullish(),
  phoneNumber: text(MAX_PHONE_LENGTH).nullish(),
  storeName: name().nullish(),
  region: z.enum(merchantRegionEnum, `must be one of ${merchantRegionEnum.join(', ')}`).nullish(),
  language: z.string().refine(isLanguageTag, 'must be a language tag of BCP 47, as in tr or pt-BR').nullish(),
  currencyCode: currencyCode().default('USD'),
  address: address.nullish(),
  billingAddress: address.nullish(),
});

export type MerchantInput = z.input<typeof merchantInput>;
