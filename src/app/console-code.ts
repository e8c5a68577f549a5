import type { KeyObject } from 'node:crypto';
import type { AppScope } from '../app-scope.ts';
import type { MerchantContext } from '../context.ts';
import { createApp } from './create-app.ts';
import { createSignInCode } from './credentials/sign-in-code.ts';
import { listApps } from './list-apps.ts';

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

/**
 * Creates a one-time code that signs a browser in to the console of the merchant. The console is an app of the
 * merchant, which is created when it is first used, or again after it was revoked.
 */
export async function createConsoleCode(
  ctx: MerchantContext & { secretKey: KeyObject },
  { isReadOnly }: { isReadOnly: boolean },
): Promise<string> {
  const authorizedAppId = (await findConsole(ctx)) ?? (await authorizeConsole(ctx));
  const scopes = isReadOnly ? READ_SCOPES : [...READ_SCOPES, ...WRITE_SCOPES];
  return await createSignInCode(ctx, { authorizedAppId, scopes });
}

async function findConsole(ctx: MerchantContext): Promise<string | undefined> {
  const apps = await listApps(ctx);
  return apps.find(({ storeAppId, revokedAt }) => storeAppId === CONSOLE_STORE_APP_ID && revokedAt === null)
    ?.authorizedAppId;
}

async function authorizeConsole(ctx: MerchantContext & { secretKey: KeyObject }): Promise<string> {
  const scopes = [...READ_SCOPES, ...WRITE_SCOPES];
  const { authorizedAppId } = await createApp(ctx, {
    input: { name: 'Console', scopes, partnerId: CONSOLE_STORE_APP_ID, storeAppId: CONSOLE_STORE_APP_ID },
  });
  return authorizedAppId;
}
