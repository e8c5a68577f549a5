import { and, eq } from 'drizzle-orm';
import type { accessToken, signInCode, webhook } from '../../../drizzle/index.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/** Deletes the rows of an app. */
export async function deleteOf(
  ctx: MerchantContext,
  table: typeof accessToken | typeof signInCode | typeof webhook,
  authorizedAppId: string,
): Promise<void> {
  await ctx.db.delete(table).where(and(ownedBy(ctx, table), eq(table.authorizedAppId, authorizedAppId)));
}
