import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import { column, type Row } from '../db/connection/read-rows.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { epochMs } from '../db/sql/timestamp.ts';

const LISTED = {
  merchantId: column.text,
  merchantSequence: column.number,
  merchantName: column.nullable(column.text),
  email: column.text,
  createdAt: column.number,
  historySince: column.nullable(column.number),
  isHistoryFull: column.boolean,
  isStockHeldFull: column.boolean,
};

export type ListedMerchant = Row<typeof LISTED>;

/** Lists merchants for the commands. No GraphQL operation may call it, because each reads only one merchant. */
export async function listMerchants({ across }: Pick<AcrossContext, 'across'>): Promise<ListedMerchant[]> {
  return await across.rows(
    'listMerchants',
    LISTED,
    sql`
    select ${merchant.merchantId} as "merchantId", ${merchant.sequence} as "merchantSequence",
      ${merchant.merchantName} as "merchantName", ${merchant.email} as "email",
      ${epochMs(merchant.createdAt)} as "createdAt", ${epochMs(merchant.historySince)} as "historySince",
      ${merchant.isHistoryFull} as "isHistoryFull", ${merchant.isStockHeldFull} as "isStockHeldFull"
    from ${merchant} order by ${merchant.sequence}`,
  );
}
