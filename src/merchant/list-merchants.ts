import { asc } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import type { Context } from '../context.ts';
import { epochMs } from '../db/sql/timestamp.ts';

export type ListedMerchant = {
  merchantId: string;
  merchantSequence: number;
  merchantName: string | null;
  email: string;
  createdAt: number;
};

/** For the operator, who alone sees more than one merchant: the commands ask this, no operation does. */
export async function listMerchants(ctx: Pick<Context, 'db'>): Promise<ListedMerchant[]> {
  return await ctx.db
    .select({
      merchantId: merchant.merchantId,
      merchantSequence: merchant.sequence,
      merchantName: merchant.merchantName,
      email: merchant.email,
      createdAt: epochMs(merchant.createdAt),
    })
    .from(merchant)
    .orderBy(asc(merchant.sequence));
}
