import { sql } from 'drizzle-orm';
import { membershipPendingCategory, membershipRecheck } from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline, pipelineStep } from '../../db/connection/pipeline.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { insert } from '../../db/write/write.ts';

/** Maximum number of rows that one statement reads. The next run reads the others. */
const MAX_ROWS = 1_000;
/**
 * A recheck that has waited for this time is due, whatever transactions run. The number of a transaction that was
 * stored on one server means nothing on another one, so without this limit a recheck could wait for ever after the
 * database was restored elsewhere, or after a shard was moved. Transactions of the service end within two minutes.
 */
const MAX_WAIT = '1 hour';

type Recheck = { id: string; categoryId: string };

/**
 * Queues the merchant's rechecks whose older transactions have ended. Returns whether others still wait. Products of
 * such a transaction are shown 0.2 s after its commit. One recheck after the longest transaction of the service would
 * show them up to a minute later, and the SDL promises about a second. Transactions of REPEATABLE READ are covered only
 * if they had written something before the category was committed.
 */
export async function queueRechecks(ctx: MerchantContext): Promise<boolean> {
  await numberRechecks(ctx);
  const rows = await readRechecks(ctx);
  const due = rows.filter(({ isDue }) => isDue);
  if (due.length > 0) await queueCategories(ctx, due);
  return due.length < rows.length;
}

/**
 * Stores the number of a new transaction in the rows that have none. It is greater than those of all transactions that
 * began to write before these rows were committed. The SELECT takes the number, because a cluster runs a SELECT on the
 * node of the merchant, and only that node's numbers can be compared with each other.
 */
async function numberRechecks(ctx: MerchantContext): Promise<void> {
  const rows = await readRows(
    ctx,
    { id: column.text, number: column.text },
    sql`
    select ${membershipRecheck.id} as "id", pg_current_xact_id()::text as "number" from ${membershipRecheck}
    where ${ownedBy(ctx, membershipRecheck)} and ${membershipRecheck.transactionId} is null
    limit ${sql.raw(String(MAX_ROWS))}`,
  );
  if (rows.length === 0) return;
  await ctx.db.execute(sql`
    update ${membershipRecheck} set transaction_id = ${rows[0]!.number}::xid8
    where ${ownedBy(ctx, membershipRecheck)} and ${membershipRecheck.id} = any(${idArray(rows.map(({ id }) => id))})`);
}

async function readRechecks(ctx: MerchantContext): Promise<(Recheck & { isDue: boolean })[]> {
  const { id, categoryId, transactionId, createdAt } = membershipRecheck;
  return await readRows(
    ctx,
    { id: column.text, categoryId: column.text, isDue: column.boolean },
    sql`
      select ${id} as "id", ${categoryId} as "categoryId",
        coalesce(${transactionId} <= pg_snapshot_xmin(pg_current_snapshot()), false)
          or ${createdAt} < now() - ${MAX_WAIT}::interval as "isDue"
      from ${membershipRecheck} where ${ownedBy(ctx, membershipRecheck)}
      order by ${id} limit ${sql.raw(String(MAX_ROWS))}`,
  );
}

async function queueCategories(ctx: MerchantContext, due: readonly Recheck[]): Promise<void> {
  const categoryIds = new Set(due.map(({ categoryId }) => categoryId));
  await inTransaction(ctx, async (ctx) => {
    await pipeline(ctx, [
      ...insert(
        ctx,
        membershipPendingCategory,
        [...categoryIds].map((categoryId) => ({ id: newId(), categoryId })),
      ),
      pipelineStep(sql`
        delete from ${membershipRecheck}
        where ${ownedBy(ctx, membershipRecheck)} and ${membershipRecheck.id} = any(${idArray(due.map(({ id }) => id))})`),
    ]);
  });
}
