import { type AppScope, scopeIsGranted } from '../../../app-scope.ts';
import { CommandError } from '../../../process/command-error.ts';
import { READ_SCOPES, readScopeOf } from '../../../webhook/ledger/record-kinds.ts';
import { listedWebhookScopes } from '../../../webhook/listWebhookEvent.ts';

/** The kinds of events that an app with these scopes may read, of those that are listed. */
export function readableScopes(granted: ReadonlySet<AppScope>): string[] {
  const scopes = listedWebhookScopes.filter((scope) => scopeIsGranted(granted, readScopeOf(scope)));
  if (scopes.length > 0) return scopes;
  throw new CommandError(`The app can read no events: it needs one of ${[...READ_SCOPES.values()].join(', ')}.`);
}
