import type { KeyObject } from 'node:crypto';
import type { ResponseSize } from './response-size.ts';
import type { AppScope } from './app-scope.ts';
import type { Database } from './db/connection/connect.ts';
import type { Outbound } from './outbound/outbound.ts';

/** Who calls: one app of one merchant, known by its access token. */
export type Session = {
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly scopes: ReadonlySet<AppScope>;
};

export type Logger = {
  debug(details: object, message?: string): void;
  info(details: object, message?: string): void;
  warn(details: object, message?: string): void;
  error(details: object, message?: string): void;
};

/** How webhooks leave: the way out under their policy, and the key that opens the client secrets they are signed with. */
export type WebhookDependencies = { readonly outbound: Outbound; readonly secretKey: KeyObject };

/** All that an operation needs. `db` is the pool, or the transaction that shadows it. */
export type Context = {
  readonly db: Database;
  readonly log: Logger;
  readonly requestId: string;
  readonly session: Session;
  readonly merchantId: string;
  readonly webhook: WebhookDependencies;
  /** Counts the bytes of the answer; where it is missing, as in commands, an answer may have any size. */
  readonly responseSize?: ResponseSize;
  /** Collects the scopes that a mutation needs for its arguments, so that its stored answer needs them too. */
  readonly argumentScopes?: Set<AppScope>;
  /** Called with the record that a mutation answers, before it commits. Throws when the record is too large. */
  readonly beforeCommit?: (record: unknown) => void;
};
