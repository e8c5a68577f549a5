import { eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { accessToken, authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ofMerchant } from '../../db/connection/database.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/**
 * How much earlier than the real last use the stored time may be. No use is written while the stored time is more
 * recent.
 */
const RESOLUTION_S = 300;

type Use = { hash: string; authorizedAppId: string };

/** Whether the stored time of the token's last use is recent enough, so that another use need not be written. */
export function isUseRecorded(): SQL<boolean> {
  return sql<boolean>`coalesce(${isRecent(accessToken.lastUsedAt)}, false)`;
}

/**
 * Records that the token and its app are used now. Requests do not wait for it. A use that cannot be written at once is
 * ignored, and so is a failure: the next look-up of the token records the use.
 */
export async function recordUse({ db, merchantId }: MerchantContext, use: Use): Promise<void> {
  const ctx = { db: ofMerchant(db, merchantId), merchantId };
  try {
    await setLastUse(ctx, accessToken, eq(accessToken.hash, use.hash));
    await setLastUse(ctx, authorizedApp, eq(authorizedApp.id, use.authorizedAppId));
  } catch {
    // Ignored: if the database cannot be reached, the statements of the request fail too, and report it.
  }
}

/**
 * Skips a row that another transaction holds, such as a long dry run that revokes the token: the statement would hold a
 * connection while it waits.
 */
async function setLastUse(
  ctx: MerchantContext,
  table: typeof accessToken | typeof authorizedApp,
  isUsed: SQL,
): Promise<void> {
  await ctx.db.execute(sql`
    update ${table} set last_used_at = now() where ${ownedBy(ctx, table)} and ${table.id} in (
      select ${table.id} from ${table}
      where ${ownedBy(ctx, table)} and ${isUsed} and ${isOutdated(table.lastUsedAt)}
      for no key update skip locked)`);
}

function isRecent(lastUsedAt: AnyPgColumn): SQL {
  return sql`${lastUsedAt} > now() - make_interval(secs => ${sql.raw(String(RESOLUTION_S))})`;
}

/** Repeated as a condition of the update, because another node may have recorded a use since the token was read. */
function isOutdated(lastUsedAt: AnyPgColumn): SQL {
  return sql`(${isRecent(lastUsedAt)}) is not true`;
}
