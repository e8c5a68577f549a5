import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { epochMs, moment } from '../db/sql/timestamp.ts';

/**
 * Begins or ends recording the changes of a merchant's records, and returns since when they are recorded. Changes that
 * were recorded before stay until their time is over.
 */
export async function keepHistory(ctx: MerchantContext, isKept: boolean): Promise<{ historySince: number | null }> {
  const since = isKept ? sql`coalesce(${merchant.historySince}, moment.at)` : sql`null`;
  const [row] = await readRows(
    ctx,
    { since: column.nullable(column.number) },
    sql`
    update ${merchant} set history_since = ${since} from ${moment}
    where ${ownedBy(ctx, merchant)}
    returning ${epochMs(merchant.historySince)} as "since"`,
  );
  return { historySince: row?.since ?? null };
}
