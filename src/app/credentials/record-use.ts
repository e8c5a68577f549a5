import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { accessToken, authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

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
 * Records that the token and its app are used now. Requests do not wait for it, and a failure is ignored: the next
 * look-up of the token records the use.
 */
export async function recordUse(ctx: MerchantContext, { hash, authorizedAppId }: Use): Promise<void> {
  const used = { lastUsedAt: sql`now()` };
  try {
    await ctx.db
      .update(accessToken)
      .set(used)
      .where(and(ownedBy(ctx, accessToken), eq(accessToken.hash, hash), isOutdated(accessToken.lastUsedAt)));
    await ctx.db
      .update(authorizedApp)
      .set(used)
      .where(
        and(ownedBy(ctx, authorizedApp), eq(authorizedApp.id, authorizedAppId), isOutdated(authorizedApp.lastUsedAt)),
      );
  } catch {
    // Ignored: if the database cannot be reached, the statements of the request fail too, and report it.
  }
}

function isRecent(lastUsedAt: AnyPgColumn): SQL {
  return sql`${lastUsedAt} > now() - make_interval(secs => ${sql.raw(String(RESOLUTION_S))})`;
}

/** Repeated as a condition of the update, because another node may have recorded a use since the token was read. */
function isOutdated(lastUsedAt: AnyPgColumn): SQL {
  return sql`(${isRecent(lastUsedAt)}) is not true`;
}
