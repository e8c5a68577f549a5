import { type WebhookScope, webhookScopes } from '../../drizzle/webhook.ts';
import { scopeIsGranted } from '../app-scope.ts';
import { checkArgumentScope } from '../argument-scope.ts';
import type { Context } from '../context.ts';
import { CommerceError, type InputPath } from '../errors.ts';
import { readScopeOf } from './ledger/record-kinds.ts';

/** Returns each scope once, in the given order; throws if one is unknown. */
export function parseWebhookScopes(given: readonly string[], path: InputPath): WebhookScope[] {
  const unknown = [...new Set(given.filter((scope) => !isWebhookScope(scope)))];
  if (unknown.length === 0) return [...new Set(given as WebhookScope[])];
  const message = `There is no webhook scope ${unknown.map((scope) => JSON.stringify(scope)).join(', ')}. Allowed are: ${webhookScopes.join(', ')}`;
  throw new CommerceError('INVALID_SCOPE', message, { path, scopes: unknown, allowed: webhookScopes });
}

/** Returns the argument `scope`; throws if it is unknown, or if the token may not read its records. */
export function parseReadableScope(ctx: Pick<Context, 'session' | 'argumentScopes'>, given: string): WebhookScope {
  const [scope] = parseWebhookScopes([given], ['scope']);
  checkReadable(ctx, [scope!]);
  return scope!;
}

/** Throws with the first scope that the token lacks. */
export function checkReadable(ctx: Pick<Context, 'session' | 'argumentScopes'>, scopes: readonly WebhookScope[]): void {
  for (const scope of scopes) checkArgumentScope(ctx, readScopeOf(scope));
}

/** The scopes whose records the token may read. */
export function readableScopes({ session }: Pick<Context, 'session'>): WebhookScope[] {
  return webhookScopes.filter((scope) => scopeIsGranted(session.scopes, readScopeOf(scope)));
}

export function isWebhookScope(scope: string): scope is WebhookScope {
  return (webhookScopes as readonly string[]).includes(scope);
}
