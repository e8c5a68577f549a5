import { getTableName, sql } from 'drizzle-orm';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inSnapshot } from '../../db/connection/transaction.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import type { CheckedRows } from './find-broken.ts';

const PAGE_ROWS = 200;
/**
 * Movements that one statement reads. Each can be on another page of the table, so a disk that reads 10,000 pages a
 * second takes one second.
 */
const SLICE_ROWS = 10_000;
const MAX_SEQUENCE = 2_147_483_647;

/** `amount`: the count in millionths, because the column has six decimals. */
type Count = { readonly id: string; readonly amount: string; readonly last: number };
type Moved = { readonly amount: bigint; readonly first: number; readonly last: number; readonly count: number };

/**
 * Compares each stock count with its movements, page by page: their sum is the count, and their numbers have no gap and
 * end with the number in the row. Movements are kept for ever, so no statement reads more than a slice of them; those of a
 * page read one snapshot.
 */
export async function* wrongCounts(ctx: MerchantContext, sliceRows = SLICE_ROWS): AsyncGenerator<CheckedRows> {
  const table = getTableName(productStockLocation);
  for (let after = NO_ID; ;) {
    const { counts, moved } = await inSnapshot(ctx, async (ctx) => {
      const counts = await page(ctx, after);
      return { counts, moved: await movedOf(ctx, { after, last: counts.at(-1)?.id ?? after, sliceRows }) };
    });
    const broken = counts.filter((count) => !isRight(count, moved.get(count.id)));
    if (counts.length > 0)
      yield {
        rows: counts.length,
        broken: broken.map(({ id }) => ({
          merchantId: ctx.merchantId,
          table,
          id,
          member: 'stock_count',
          missing: null,
        })),
      };
    if (counts.length < PAGE_ROWS) return;
    after = counts.at(-1)!.id;
  }
}

function isRight({ amount, last }: Count, moved: Moved | undefined): boolean {
  if (!moved) return BigInt(amount) === 0n && last === 0;
  return BigInt(amount) === moved.amount && last === moved.last && moved.count === moved.last - moved.first + 1;
}

async function page(ctx: MerchantContext, after: string): Promise<Count[]> {
  return await readRows(
    ctx,
    { id: column.text, amount: column.text, last: column.number },
    sql`
    select ${productStockLocation.id} as "id", (${productStockLocation.stockCount} * 1000000)::numeric(38)::text as "amount",
      ${productStockLocation.lastMovementNumber} as "last"
    from ${productStockLocation}
    where ${ownedBy(ctx, productStockLocation)} and ${productStockLocation.id} > ${after}::uuid
    order by ${productStockLocation.id} limit ${sql.raw(String(PAGE_ROWS))}`,
  );
}

type Counts = { readonly after: string; readonly last: string; readonly sliceRows: number };

/** What the movements of a range of counts are together, by the ids of the counts. */
async function movedOf(ctx: MerchantContext, { after, last, sliceRows }: Counts): Promise<Map<string, Moved>> {
  const moved = new Map<string, Moved>();
  const { productStockLocationId: countId, sequence, delta } = stockMovement;
  for (let behind = { id: after, last: MAX_SEQUENCE }, read = sliceRows; read === sliceRows;) {
    const slice = await readRows(
      ctx,
      { id: column.text, amount: column.text, first: column.number, last: column.number, count: column.number },
      sql`
      select m.id as "id", (sum(m.delta) * 1000000)::numeric(38)::text as "amount", min(m.sequence) as "first",
        max(m.sequence) as "last", count(*)::int as "count"
      from (
        select ${countId} as id, ${sequence} as sequence, ${delta} as delta from ${stockMovement}
        where ${ownedBy(ctx, stockMovement)} and (${countId}, ${sequence}) > (${behind.id}::uuid, ${behind.last}::integer)
          and ${countId} <= ${last}::uuid
        order by ${countId}, ${sequence} limit ${sliceRows}::integer) as m
      group by m.id order by m.id`,
    );
    for (const { id, ...part } of slice) moved.set(id, together(moved.get(id), part));
    read = slice.reduce((rows, { count }) => rows + count, 0);
    behind = slice.at(-1) ?? behind;
  }
  return moved;
}

function together(former: Moved | undefined, part: Omit<Moved, 'amount'> & { readonly amount: string }): Moved {
  const amount = BigInt(part.amount);
  if (!former) return { ...part, amount };
  return { ...part, amount: former.amount + amount, first: former.first, count: former.count + part.count };
}
