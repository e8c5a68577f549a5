import type { Context } from '../context.ts';
import { readOwn } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import type { MerchantResponse } from '../graphql/generated/types.ts';
import { merchantShape } from './merchant.ts';

export async function getMerchant(ctx: Context, selection: Selection): Promise<MerchantResponse> {
  return await readOwn(ctx, merchantShape, selection);
}
