import type { KeyObject } from 'node:crypto';
import type { AppScope } from './app-scope.ts';
import type { Database } from './db/connection/database.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Span } from './tracing/span.ts';
import type { ResponseSize } from './response-size.ts';

/** The caller: one app of one merchant, identified by its access token. */
export type Session = {
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly scopes: ReadonlySet<AppScope>;
  /** The merchant's, as `languageOf` gives it. Read together with the token; commands have no token. */
  readonly language?: string;
};

export type Logger = {
  debug(details: object, message?: string): void;
  info(details: object, message?: string): void;
  warn(details: object, message?: string): void;
  error(details: object, message?: string): void;
};

/**
 * What sending a webhook needs: HTTP requests under its address policy, and the key that decrypts the client secrets it
 * is signed with.
 */
export type WebhookDependencies = { readonly outbound: Outbound; readonly secretKey: KeyObject };

/** Everything that an operation needs. `db` is the pool, or the current transaction. */
export type Context = {
  readonly db: Database;
  readonly log: Logger;
  readonly requestId: string;
  readonly session: Session;
  readonly merchantId: string;
  readonly webhook: WebhookDependencies;
  /** The request's, if it is traced. `db` has it already. */
  readonly span?: Span;
  /** Counts the bytes of the response. Missing in commands, whose output may have any size. */
  readonly responseSize?: ResponseSize;
  /** Collects the scopes that the arguments of a mutation need. A stored idempotent response needs them too. */
  readonly argumentScopes?: Set<AppScope>;
  /** Called with the record that a mutation returns, before it commits. Throws if the record is too large. */
  readonly beforeCommit?: (record: unknown) => void;
};

/** For functions that the worker and the commands call too, which have no session. */
export type MerchantContext = Pick<Context, 'db' | 'merchantId'>;
