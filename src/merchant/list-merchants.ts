import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { epochMs } from '../db/sql/timestamp.ts';

export type ListedMerchant = {
  merchantId: string;
  merchantSequence: number;
  merchantName: string | null;
  email: string;
  createdAt: number;
};

/** Lists merchants for the commands. No GraphQL operation may call it, because each reads only one merchant. */
export async function listMerchants({ across }: Pick<AcrossContext, 'across'>): Promise<ListedMerchant[]> {
  return await across.execute<ListedMerchant>(
    'listMerchants',
    sql`
    select ${merchant.merchantId} as "merchantId", ${merchant.sequence} as "merchantSequence",
      ${merchant.merchantName} as "merchantName", ${merchant.email} as "email",
      ${epochMs(merchant.createdAt)} as "createdAt"
    from ${merchant} order by ${merchant.sequence}`,
  );
}
