import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecords } from '../db/read/read-records.ts';
import { isId } from '../db/sql/id.ts';
import { parseInput } from '../field-input.ts';
import type { MutationHoldStockArgs, StockHold } from '../graphql/generated/types.ts';
import { entryHash } from './entry/entry-hash.ts';
import { madeRecords, type MadeRecord, refusal } from './entry/refused-entries.ts';
import { holds } from './hold/stock-hold-input.ts';
import { stockHoldProjection } from './hold/stock-hold.ts';

export async function holdStock(ctx: Context, args: MutationHoldStockArgs, selection: Selection): Promise<StockHold[]> {
  const entries = parseInput(holds, args.input);
  if (entries.length === 0) return [];
  return await inTransaction(ctx, async (ctx) => {
    const rows = await readRows(
      ctx,
      {
        entry: column.number,
        problem: column.nullable(column.text),
        actual: column.nullable(column.number),
        detail: column.nullable(column.text),
        id: column.nullable(column.text),
      },
      sql`
      select entry, problem, actual::float8 as "actual", detail, hold_id as "id"
      from hold_stock(${ctx.merchantId}::uuid, ${JSON.stringify(entries.map(sentRow))}::json) order by entry`,
    );
    const refused = rows.flatMap(({ problem, ...row }) =>
      problem === null ? [] : [{ ...row, problem: problemOf(entries[row.entry]!, problem) }],
    );
    if (refused.length > 0) throw refusal(refused, entries.map(sentEntry));
    const made = rows.map(({ id }, n) => ({ key: entries[n]!.key, id: id! }));
    const saved = await readHolds(ctx, made, selection);
    ctx.beforeCommit?.(saved);
    return saved;
  });
}

type Entry = ReturnType<typeof holds.parse>[number];

function sentRow(entry: Entry, n: number): object {
  const { productId, variantId, stockLocationId, quantity, key, reference, expiresAt } = entry;
  return {
    n,
    key,
    hash: entryHash('holdStock', entry),
    // An unknown product must not be looked up by its variant.
    product: typeof productId === 'string' && !isId(productId) ? NO_PRODUCT : productId,
    variant: isId(variantId) ? variantId : null,
    location: isId(stockLocationId) ? stockLocationId : null,
    quantity,
    reference,
    expires: Date.parse(expiresAt),
  };
}

/** The id of no record. */
const NO_PRODUCT = '00000000-0000-0000-0000-000000000000';

/** Without `productId` the product is found by the variant: if there is none, the variant is what is missing. */
function problemOf({ productId }: Entry, problem: string): string {
  return problem === 'Product' && productId == null ? 'Variant' : problem;
}

function sentEntry(entry: Entry, index: number) {
  return {
    path: ['input', index],
    key: entry.key,
    ids: {
      Product: { member: 'productId', id: entry.productId ?? NO_PRODUCT },
      Variant: { member: 'variantId', id: entry.variantId },
      StockLocation: { member: 'stockLocationId', id: entry.stockLocationId },
    },
  };
}

async function readHolds(ctx: Context, made: readonly MadeRecord[], selection: Selection): Promise<StockHold[]> {
  const ids = made.map(({ id }) => id);
  return madeRecords(made, await readRecords(ctx, stockHoldProjection, ids, { ...selection, id: {} }));
}
