import type { Context } from '../context.ts';
import { readMerchantRow } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import type { MerchantResponse } from '../graphql/generated/types.ts';
import { merchantProjection } from './merchant.ts';

export async function getMerchant(ctx: Context, selection: Selection): Promise<MerchantResponse> {
  return await readMerchantRow(ctx, merchantProjection, selection);
}
