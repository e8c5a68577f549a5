import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { accessToken, authorizedApp } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

/** How far a recorded use may lag behind. A request writes nothing while its token's last use is more recent. */
const RESOLUTION_S = 300;

type Use = { hash: string; authorizedAppId: string };

/** Whether the last use of the token is recorded well enough. */
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
    // The statement of the request itself reports a database that is away.
  }
}

function isRecent(lastUsedAt: AnyPgColumn): SQL {
  return sql`${lastUsedAt} > now() - make_interval(secs => ${sql.raw(String(RESOLUTION_S))})`;
}

/** Another node may have recorded the use meanwhile. */
function isOutdated(lastUsedAt: AnyPgColumn): SQL {
  return sql`(${isRecent(lastUsedAt)}) is not true`;
}
