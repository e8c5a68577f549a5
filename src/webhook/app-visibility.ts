import { eq, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type AppScope, scopeIsGranted } from '../app-scope.ts';
import { checkArgumentScope } from '../argument-scope.ts';
import type { Context } from '../context.ts';

const READ_ALL_APPS: AppScope = 'read_webhooks';
const WRITE_ALL_APPS: AppScope = 'write_webhooks';

/** Whether the token sees the webhooks and deliveries of all the merchant's apps, or only those of its own. */
export function seesAllApps({ session }: Pick<Context, 'session'>): boolean {
  return scopeIsGranted(session.scopes, READ_ALL_APPS);
}

/** The condition on the app of a webhook or delivery that the token may see. */
export function visibleApps(ctx: Pick<Context, 'session'>, appId: AnyPgColumn): SQL[] {
  return seesAllApps(ctx) ? [] : [eq(appId, ctx.session.authorizedAppId)];
}

/** Throws if one of the apps is not the token's own and the token may not read other apps' webhooks. */
export function checkAppsReadable(ctx: Pick<Context, 'session' | 'argumentScopes'>, appIds: readonly string[]): void {
  checkApps(ctx, appIds, READ_ALL_APPS);
}

/** Throws if one of the apps is not the token's own and the token may not write other apps' webhooks. */
export function checkAppsWritable(ctx: Pick<Context, 'session' | 'argumentScopes'>, appIds: readonly string[]): void {
  checkApps(ctx, appIds, WRITE_ALL_APPS);
}

function checkApps(
  ctx: Pick<Context, 'session' | 'argumentScopes'>,
  appIds: readonly string[],
  required: AppScope,
): void {
  if (appIds.some((appId) => appId !== ctx.session.authorizedAppId)) checkArgumentScope(ctx, required);
}
