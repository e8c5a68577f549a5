import { type AppScope, scopeIsGranted } from './app-scope.ts';
import type { Context } from './context.ts';
import { unauthorized } from './errors.ts';

/** Throws if the token lacks a scope that depends on the arguments. A stored idempotent response needs it too. */
export function checkArgumentScope(
  { session, argumentScopes }: Pick<Context, 'session' | 'argumentScopes'>,
  required: AppScope,
): void {
  if (!scopeIsGranted(session.scopes, required)) throw unauthorized(required);
  argumentScopes?.add(required);
}
