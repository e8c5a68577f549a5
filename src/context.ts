import type { AppScope } from './app-scope.ts';
import type { DatabaseContext } from './db/connection/database.ts';
import type { Batches } from './limits/batches.ts';
import type { EventLoopSlices } from './limits/event-loop-slices.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Span } from './tracing/span.ts';
import type { ResponseSize } from './limits/response-size.ts';
import type { SecretKey } from './values/secret-key.ts';

/** The caller: one app of one merchant, identified by its access token. */
export type Session = {
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly scopes: ReadonlySet<AppScope>;
  /**
   * The merchant's language, as `validLanguage` returns it. It is read together with the token; commands have no token.
   */
  readonly language?: string;
  /**
   * Whether the merchant has price lists that may compute prices. Read together with the token, as its language. A save
   * of such a list sets it, so that later requests with the same token have the new prices at once. In another process,
   * or if the save did not use the cached session, they have them up to a second later.
   */
  hasDynamicPriceLists?: boolean;
  /**
   * Whether the merchant has automated categories, deleted ones too. Read together with the token, which is cached for
   * less than a second. A save of such a category sets it, as that of a price list does. If a category becomes automated
   * after that, other apps are not shown its products until their sessions are read again, and a save of theirs still
   * stores this category's id with a product. That does no harm: ids that were stored before a category became automated
   * are ignored too.
   */
  hasAutomatedCategories?: boolean;
  /** The response of `me`, which reads it once per session. */
  me?: Promise<object>;
};

export type Logger = {
  debug(details: object, message?: string): void;
  info(details: object, message?: string): void;
  warn(details: object, message?: string): void;
  error(details: object, message?: string): void;
};

/**
 * Dependencies of code that sends webhooks: `outbound` makes HTTP requests and refuses addresses that are not public;
 * `secretKey` decrypts the client secrets with which the requests are signed.
 */
export type WebhookDependencies = { readonly outbound: Outbound; readonly secretKey: SecretKey };

/** Everything that an operation needs. `db` is the pool, or the current transaction. */
export type Context = DatabaseContext & {
  readonly log: Logger;
  readonly requestId: string;
  readonly session: Session;
  readonly merchantId: string;
  readonly webhook: WebhookDependencies;
  /**
   * The trace span of the request; missing if the request is not traced. Statements through `db` are traced below it
   * without it being passed.
   */
  readonly span?: Span;
  /** Counts the bytes of the response. Missing in commands, whose output may have any size. */
  readonly responseSize?: ResponseSize;
  /** The slices of time that all requests share, so that long work does not block others. Missing in commands. */
  readonly slices?: EventLoopSlices;
  /**
   * Lets the request share a statement with others that arrive at the same time. Only of a request with a single
   * mutation and no aliases, without `Idempotency-Key` and `X-Dry-Run`.
   */
  readonly batches?: Batches;
  /** Number of root fields of the mutation, without those that a directive leaves out. Missing in commands. */
  readonly mutationCount?: number;
  /** Collects the scopes that the arguments of a mutation need. A stored idempotent response needs them too. */
  readonly argumentScopes?: Set<AppScope>;
  /** Collects the customers whose values the response of a mutation may have. An erasure removes a stored one. */
  readonly customerIds?: Set<string>;
  /** Collects what is to be done after the commit of a request with `Idempotency-Key`, outside of its transaction. */
  readonly afterCommit?: ((ctx: Context) => Promise<void>)[];
  /** To be called with the result of a mutation before its commit. Throws if the response would be too large. */
  readonly beforeCommit?: (result: unknown) => void;
};

/** The context of functions that are also called by the worker and the commands, which have no session. */
export type MerchantContext = DatabaseContext & Pick<Context, 'merchantId' | 'slices'>;
