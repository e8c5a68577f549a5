import { sql } from 'drizzle-orm';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { taskContext } from '../db/across/merchant-context.ts';
import { MerchantFailures } from '../db/across/merchant-failures.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readIds } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { SliceSizes } from './slice-sizes.ts';

const MAX_MERCHANTS = 1_000;

export type Reverter = AcrossContext & Pick<Context, 'log' | 'webhook'>;

/**
 * Continues the reverts of all merchants until none is left. Merchants are served in turn, one slice at a time. Several
 * processes may do this at once: each slice is a transaction that locks its run. A merchant whose slice fails is left
 * until the next call, so that the others do not wait for it.
 */
export async function continueReverts(reverter: Reverter, signal: AbortSignal): Promise<void> {
  const failures = new MerchantFailures();
  const sizes = new SliceSizes();
  for (let hasMore = true; hasMore && !signal.aborted;) {
    hasMore = false;
    const merchants = await reverter.across.rows(
      'merchantsWithReverts',
      { id: column.text },
      sql`
      select distinct ${revertRun.merchantId} as "id" from ${revertRun} where not ${revertRun.isEnded}
      limit ${sql.raw(String(MAX_MERCHANTS))}`,
    );
    for (const { id } of merchants) {
      if (signal.aborted) return;
      if (await failures.attempt(id, () => continueRevert(contextOf(reverter, id), sizes))) hasMore = true;
    }
  }
  failures.throwAny();
}

/** Takes one slice of the oldest run of a merchant back. False if there was none. */
async function continueRevert(ctx: Context, sizes: SliceSizes): Promise<boolean> {
  const [runId] = await readIds(
    ctx,
    sql`
    select ${revertRun.id} as "id" from ${revertRun}
    where ${ownedBy(ctx, revertRun)} and not ${revertRun.isEnded} order by ${revertRun.id} limit 1`,
  );
  return runId !== undefined && (await sizes.revertNext(ctx, runId));
}

/** No app asks for a slice: its scopes were checked when the run was accepted. */
function contextOf({ db, log, webhook }: Reverter, merchantId: string): Context {
  const session = { merchantId, authorizedAppId: '', scopes: new Set<never>() };
  return { ...taskContext(db, merchantId), log, webhook, session, requestId: newId() };
}
