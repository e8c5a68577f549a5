import type { Database } from './db/connect.ts';
import type { AppScope } from './app/scopes.ts';

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

/** All that an operation needs. `db` is the pool, or the transaction that shadows it. */
export type Context = {
  readonly db: Database;
  readonly log: Logger;
  readonly requestId: string;
  readonly session: Session;
  readonly merchantId: string;
};
