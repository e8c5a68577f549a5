import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import type { AppScope } from '../app-scope.ts';
import type { MerchantContext } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import { createApp } from './create-app.ts';
import { createSignInCode } from './credentials/sign-in-code.ts';
import { isActive, type ListedApp, listApps } from './list-apps.ts';
import type { SecretKey } from '../values/secret-key.ts';

/** The `storeAppId` of the merchant's app for the console, by which it is found again. */
export const CONSOLE_STORE_APP_ID = 'console';

/** Scopes for what the console shows: records, to explain their events, their changes and their stock. */
const READ_SCOPES: readonly AppScope[] = [
  'read_products',
  'read_customers',
  'read_inventories',
  'read_webhooks',
  'read_apps',
];
/** Scopes for the buttons of the console: resume webhooks, send deliveries again, revoke apps and tokens. */
const WRITE_SCOPES: readonly AppScope[] = ['write_webhooks', 'write_apps'];
/** Scopes to take changes of records back. A token in a browser has them only if the link was asked for with them. */
const REVERT_SCOPES: readonly AppScope[] = ['write_products', 'write_customers', 'write_inventories'];

export type ConsoleAccess = { isReadOnly: boolean; takesBack?: boolean };

/**
 * Creates a one-time code that signs a browser in to the console of the merchant. The console is an app of the
 * merchant, which is created when it is first used, or again after it was revoked or deleted.
 */
export async function createConsoleCode(
  ctx: MerchantContext & { secretKey: SecretKey },
  { isReadOnly, takesBack = false }: ConsoleAccess,
): Promise<string> {
  const scopes = [...READ_SCOPES, ...(isReadOnly ? [] : WRITE_SCOPES), ...(takesBack ? REVERT_SCOPES : [])];
  const found = await findConsole(ctx);
  if (found) await grantScopes(ctx, found, scopes);
  const authorizedAppId = found?.authorizedAppId ?? (await authorizeConsole(ctx, scopes));
  return await createSignInCode(ctx, { authorizedAppId, scopes });
}

async function findConsole(ctx: MerchantContext): Promise<ListedApp | undefined> {
  const apps = await listApps(ctx);
  return apps.find((app) => app.storeAppId === CONSOLE_STORE_APP_ID && isActive(app));
}

/** A token has no scope that its app has not. The console's app gets those of a link when it is first asked for. */
async function grantScopes(ctx: MerchantContext, app: ListedApp, scopes: readonly AppScope[]): Promise<void> {
  if (scopes.every((scope) => app.scopes.includes(scope))) return;
  const granted = [...new Set([...app.scopes, ...scopes])];
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`
      update ${authorizedApp} set scopes = ${textArray(granted)}, updated_at = now()
      where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${app.authorizedAppId}`);
  });
}

async function authorizeConsole(
  ctx: MerchantContext & { secretKey: SecretKey },
  needed: readonly AppScope[],
): Promise<string> {
  const scopes = [...new Set([...READ_SCOPES, ...WRITE_SCOPES, ...needed])];
  const { authorizedAppId } = await createApp(ctx, {
    input: { name: 'Console', scopes, partnerId: CONSOLE_STORE_APP_ID, storeAppId: CONSOLE_STORE_APP_ID },
  });
  return authorizedAppId;
}
