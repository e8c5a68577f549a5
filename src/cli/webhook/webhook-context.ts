import { appScopes } from '../../app-scope.ts';
import type { Context } from '../../context.ts';
import { type MerchantDatabase, withMerchant } from '../database/with-database.ts';

/** Runs `work` with all scopes of the merchant, so that the operator sees the webhooks of all its apps. */
export async function withWebhookContext<T>(
  merchant: string | undefined,
  work: (ctx: Context, database: MerchantDatabase) => Promise<T>,
  command?: string,
): Promise<T> {
  return await withMerchant(merchant, async (database) => {
    const { commandContext } = await import('../database/command-context.ts');
    const ctx = commandContext(database, command);
    return await work({ ...ctx, session: { ...ctx.session, scopes: new Set(appScopes) } }, database);
  });
}

/** The condition on the app that the operator names; null without one. */
export async function appFilter(ctx: Context, named: string | undefined): Promise<{ eq: string } | null> {
  if (named === undefined) return null;
  const { findAppId } = await import('../database/find-merchant.ts');
  return { eq: await findAppId(ctx, named) };
}
