import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { forEachMerchant } from '../../db/write/for-each-merchant.ts';
import { BATCH_SIZE, processDueRows } from '../../db/write/process-due-rows.ts';

const MAX_ACTIVE_HOLDS = 1_000_000;

/**
 * Gives the holds of all merchants that have ended by themselves the status EXPIRED, and returns their number. They have
 * counted no longer since then; the change of the status is their only trace.
 */
export async function expireHolds(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  const isDue = sql`${stockHold.status} = 'ACTIVE' and ${stockHold.expiresAt} <= now()`;
  const expire = async (ctx: MerchantContext): Promise<number> => {
    const own = ownedBy(ctx, stockHold);
    // Holds that a request has locked are left to the next run.
    const ended = await readRows(
      ctx,
      { id: column.text },
      sql`
      update ${stockHold} set status = 'EXPIRED' where ${own} and ${stockHold.id} = any(array(
        select ${stockHold.id} from ${stockHold} where ${own} and ${isDue}
        order by ${stockHold.expiresAt} limit ${sql.raw(String(BATCH_SIZE))} for update skip locked))
      returning ${stockHold.id} as "id"`,
    );
    return ended.length;
  };
  return await processDueRows(ctx, { table: stockHold, isDue }, expire, signal);
}

/** Counts the active holds of all merchants. A merchant with too many gets no further ones until there are fewer. */
export async function limitHolds({ db, across }: AcrossContext, maxHolds = MAX_ACTIVE_HOLDS): Promise<void> {
  const changed = await across.rows(
    'heldMerchants',
    { merchantId: column.text, isFull: column.boolean },
    sql`
    select ${merchant.merchantId} as "merchantId", count(${stockHold.id}) >= ${maxHolds}::bigint as "isFull"
    from ${merchant} left join ${stockHold} on ${stockHold.merchantId} = ${merchant.merchantId}
      and ${stockHold.status} = 'ACTIVE' and ${stockHold.expiresAt} > now()
    group by ${merchant.merchantId}, ${merchant.isStockHeldFull}
    having (count(${stockHold.id}) >= ${maxHolds}::bigint) <> ${merchant.isStockHeldFull}`,
  );
  await forEachMerchant(db, changed, async (ctx, { isFull }) => {
    await db.execute(sql`update ${merchant} set is_stock_held_full = ${isFull} where ${ownedBy(ctx, merchant)}`);
  });
}
