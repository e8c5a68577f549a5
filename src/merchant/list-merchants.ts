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

/** For the commands only: no GraphQL operation reads more than one merchant. */
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
