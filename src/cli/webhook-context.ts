import { appScopes } from '../app-scope.ts';
import type { Context } from '../context.ts';
import { withMerchant } from './with-database.ts';

/** The operator sees what all apps of the merchant may see. */
export async function withWebhookContext<T>(
  merchant: string | undefined,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  return await withMerchant(merchant, async (database) => {
    const { commandContext } = await import('./command-context.ts');
    const ctx = commandContext(database);
    return await work(asApp(ctx, ctx.session.authorizedAppId));
  });
}

/** The same as one of the merchant's apps. */
export function asApp(ctx: Context, authorizedAppId: string): Context {
  return { ...ctx, session: { merchantId: ctx.merchantId, authorizedAppId, scopes: new Set(appScopes) } };
}
