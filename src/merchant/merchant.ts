import { merchant } from '../../drizzle/index.ts';
import { document, id, integer, shape, text, word } from '../db/read/projection.ts';
import type { MerchantAddress, MerchantResponse } from '../graphql/generated/types.ts';

export const merchantShape = shape<MerchantResponse>()(merchant, {
  id: (row) => id(row.merchantId),
  email: (row) => text(row.email),
  firstName: (row) => text(row.firstName),
  lastName: (row) => text(row.lastName),
  address: (row, read) => document<MerchantAddress>(read, row.address),
  billingAddress: (row, read) => document<MerchantAddress>(read, row.billingAddress),
  merchantName: (row) => text(row.merchantName),
  merchantSequence: (row) => integer(row.sequence),
  phoneNumber: (row) => text(row.phoneNumber),
  region: (row) => word(row.region),
  storeName: (row) => text(row.storeName),
});
