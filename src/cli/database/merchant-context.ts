import { appScopes } from '../../app-scope.ts';
import type { Context } from '../../context.ts';
import { type CommandKind, type MerchantDatabase, withMerchant } from './with-database.ts';

/** Runs `work` with all scopes of the merchant, so that the operator sees and changes what any of its apps may. */
export async function withMerchantContext<T>(
  merchant: string | undefined,
  work: (ctx: Context, database: MerchantDatabase) => Promise<T>,
  kind: CommandKind = {},
): Promise<T> {
  return await withMerchant(
    merchant,
    async (database) => await work(await merchantContext(database, kind.command), database),
    kind,
  );
}

/** The context of an operation with all scopes of the merchant. */
export async function merchantContext(database: MerchantDatabase, command?: string): Promise<Context> {
  const { commandContext } = await import('./command-context.ts');
  const ctx = commandContext(database, command);
  return { ...ctx, session: { ...ctx.session, scopes: new Set(appScopes) } };
}
