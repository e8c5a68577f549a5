import { appScopes } from '../../app-scope.ts';
import type { Context } from '../../context.ts';
import { type MerchantDatabase, withMerchant } from './with-database.ts';

/** Runs `work` with all scopes of the merchant, so that the operator sees and changes what any of its apps may. */
export async function withMerchantContext<T>(
  merchant: string | undefined,
  work: (ctx: Context, database: MerchantDatabase) => Promise<T>,
  command?: string,
): Promise<T> {
  return await withMerchant(merchant, async (database) => {
    const { commandContext } = await import('./command-context.ts');
    const ctx = commandContext(database, command);
    return await work({ ...ctx, session: { ...ctx.session, scopes: new Set(appScopes) } }, database);
  });
}
