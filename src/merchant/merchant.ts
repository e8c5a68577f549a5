import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import { id, integer } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { MerchantResponse } from '../graphql/generated/types.ts';
import { languageOf } from './merchant-language.ts';

export const merchantProjection = projection<MerchantResponse>()(merchant, {
  id: (row) => id(row.merchantId),
  merchantSequence: (row) => integer(row.sequence),
  language: (row) => ({ sql: sql`to_json(${languageOf(row)})::text` }),
});
