import { appScopes } from '../../app-scope.ts';
import type { Context } from '../../context.ts';
import { withMerchant } from '../database/with-database.ts';

/** Runs `work` with all scopes of the merchant, so that the operator sees the webhooks of all its apps. */
export async function withWebhookContext<T>(
  merchant: string | undefined,
  work: (ctx: Context) => Promise<T>,
  command?: string,
): Promise<T> {
  return await withMerchant(merchant, async (database) => {
    const { commandContext } = await import('../database/command-context.ts');
    const ctx = commandContext(database, command);
    return await work(asApp(ctx, ctx.session.authorizedAppId));
  });
}

/** A context with all scopes for one of the merchant's apps. */
export function asApp(ctx: Context, authorizedAppId: string): Context {
  return { ...ctx, session: { merchantId: ctx.merchantId, authorizedAppId, scopes: new Set(appScopes) } };
}
