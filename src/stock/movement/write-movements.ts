import { sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import type { Selection } from '../../db/read/projection.ts';
import { readRecords } from '../../db/read/read-records.ts';
import { isId } from '../../db/sql/id.ts';
import type { InputPath } from '../../errors.ts';
import type { StockMovement } from '../../graphql/generated/types.ts';
import { madeRecords, type MadeRecord, refusal, type SentEntry } from '../entry/refused-entries.ts';
import { stockMovementProjection } from './stock-movement.ts';

/** A delta of one count. Entries next to each other with the same key are one entry of the request. */
export type MovementEntry = {
  path: InputPath;
  /** The member of the request with the id of the location. */
  locationMember: string;
  productId: string;
  variantId: string;
  stockLocationId: string;
  delta: number;
  kind: string;
  reason?: string | null | undefined;
  reference?: string | null | undefined;
  key: string;
  hash: string;
  expectedCount?: number | null | undefined;
  allowNegative?: boolean | null | undefined;
};

/** Writes all movements or none, and returns them in the order of the entries. */
export async function writeMovements(
  ctx: Context,
  entries: readonly MovementEntry[],
  selection: Selection,
): Promise<StockMovement[]> {
  if (entries.length === 0) return [];
  return await inTransaction(ctx, async (ctx) => {
    const rows = await readRows(
      ctx,
      {
        entry: column.number,
        problem: column.nullable(column.text),
        actual: column.nullable(column.number),
        ids: column.nullable(column.text),
      },
      sql`
      select entry, problem, actual::float8 as "actual", movement_ids::text as "ids"
      from adjust_stock(${ctx.merchantId}::uuid, ${JSON.stringify(entries.map(sentRow))}::json) order by entry`,
    );
    const refused = rows.filter((row): row is typeof row & { problem: string } => row.problem !== null);
    if (refused.length > 0) throw refusal(refused, entries.map(sentEntry));
    const movements = await readMovements(ctx, madeMovements(rows, entries), selection);
    ctx.beforeCommit?.(movements);
    return movements;
  });
}

export function sentRow(entry: MovementEntry, n: number): object {
  const { productId, variantId, stockLocationId, expectedCount, allowNegative, path: _, ...rest } = entry;
  return {
    ...rest,
    n,
    product: isId(productId) ? productId : null,
    variant: isId(variantId) ? variantId : null,
    location: isId(stockLocationId) ? stockLocationId : null,
    expected: expectedCount,
    allowed: allowNegative,
  };
}

export function sentEntry({ path, key, locationMember, ...ids }: MovementEntry): SentEntry {
  return {
    path,
    key,
    ids: {
      Product: { member: 'productId', id: ids.productId },
      Variant: { member: 'variantId', id: ids.variantId },
      StockLocation: { member: locationMember, id: ids.stockLocationId },
    },
  };
}

/** The movements of each key, once: the rows of one key have all of them. */
function madeMovements(rows: readonly { ids: string | null }[], entries: readonly MovementEntry[]): MadeRecord[] {
  return rows.flatMap(({ ids }, n) => {
    const { key } = entries[n]!;
    return entries[n - 1]?.key === key
      ? []
      : ids!
          .slice(1, -1)
          .split(',')
          .map((id) => ({ key, id }));
  });
}

/** The movements in the order of `made`. */
export async function readMovements(
  ctx: Context,
  made: readonly MadeRecord[],
  selection: Selection,
): Promise<StockMovement[]> {
  const ids = made.map(({ id }) => id);
  return madeRecords(made, await readRecords(ctx, stockMovementProjection(ctx), ids, { ...selection, id: {} }));
}
