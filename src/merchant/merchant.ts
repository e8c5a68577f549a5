import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import { document, id, integer, text, enumValue } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { MerchantAddress, MerchantResponse } from '../graphql/generated/types.ts';
import { languageOf } from './merchant-language.ts';

export const merchantProjection = projection<MerchantResponse>()(merchant, {
  id: (row) => id(row.merchantId),
  email: (row) => text(row.email),
  firstName: (row) => text(row.firstName),
  lastName: (row) => text(row.lastName),
  address: (row, scope) => document<MerchantAddress>(scope, row.address),
  billingAddress: (row, scope) => document<MerchantAddress>(scope, row.billingAddress),
  merchantName: (row) => text(row.merchantName),
  merchantSequence: (row) => integer(row.sequence),
  phoneNumber: (row) => text(row.phoneNumber),
  language: (row) => ({ sql: sql`to_json(${languageOf(row)})::text` }),
  region: (row) => enumValue(row.region),
  storeName: (row) => text(row.storeName),
});
