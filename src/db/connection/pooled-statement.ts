import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { ScheduledItem } from '../../limits/owner-account.ts';
import type { Pool } from './pool.ts';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';

const CANCEL_RETRY_DELAY_MS = 100;

/** Poll interval while a statement to be cancelled waits for its connection to open. */
const OPENING_POLL_INTERVAL_MS = 20;

/** The client disconnected before the statement was executed, or during it. */
class ClientGoneError extends Error {
  readonly code = 'CLIENT_GONE';

  constructor() {
    super('The client did not wait.');
  }
}

type Rows = postgres.RowList<postgres.Row[]>;

type Query = postgres.PendingQuery<postgres.Row[]> & {
  /** Whether the server is executing the statement. */
  readonly active: boolean;
  /**
   * The driver's `cancel()` with the promise that the driver does not expose. It resolves when the server has
   * accepted the request.
   */
  canceller: ((query: Query) => Promise<void>) | null;
};

export type Send = (client: postgres.Sql) => Query;

export type AdmittedRequest = { readonly owner: string; readonly admittedAtMs: number };

/** Work that uses one connection. A transaction has its connection to itself until it ends. */
export type Work = ScheduledItem &
  AdmittedRequest & {
    readonly isTransaction: boolean;
    start(connection: PooledConnection): void;
    /** Called instead of `start`. */
    refuse(error: Error): void;
  };

export type PooledConnection = {
  readonly client: postgres.Sql;
  owner: string;
  /** Sent and unanswered statements. The first one is executing. */
  sent: PooledStatement[];
  inTransaction: boolean;
  /** When the request was admitted whose transaction waits for the answer to BEGIN; otherwise Infinity. */
  beginsForMs: number;
  /** A cancel request is in flight. It cancels whatever executes when it arrives. */
  isCancelling: boolean;
  /** When the work began that ends next. */
  workingSinceMs: number;
  /** When it was last closed because its server was read-only. */
  closedAtMs: number;
};

/** A statement that is sent to the pool outside of a transaction. */
export class PooledStatement implements Work {
  readonly owner: string;
  readonly admittedAtMs: number;
  readonly weight = 1;
  readonly isTransaction = false;
  /** Called once, when there is nothing left to cancel. */
  onEnd: (() => void) | null = null;
  readonly #pool: Pool;
  readonly #send: Send;
  #query: Query | null = null;
  #connection: PooledConnection | null = null;
  #resolve: (rows: Rows) => void = () => {};
  #reject: ((error: unknown) => void) | null = null;
  #isValues = false;
  #isCancelled = false;
  /** Whether a cancel request for the previous statement of the connection may still arrive and stop this one. */
  #mayBeStopped = false;

  constructor(pool: Pool, { owner, admittedAtMs }: AdmittedRequest, send: Send) {
    this.#pool = pool;
    this.owner = owner;
    this.admittedAtMs = admittedAtMs;
    this.#send = send;
  }

  /** Resolves with the rows. */
  run(): Promise<Rows> {
    return new Promise<Rows>((resolve, reject) => {
      if (this.#isCancelled) return reject(new ClientGoneError());
      this.#resolve = resolve;
      this.#reject = reject;
      this.#pool.submit(this);
    });
  }

  /** Returns rows as arrays, like the driver's `values()`. */
  asValues(): void {
    this.#isValues = true;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  start(connection: PooledConnection): void {
    this.#connection = connection;
    connection.sent.push(this);
    const query = this.#send(connection.client);
    this.#query = this.#isValues ? (query.values() as unknown as Query) : query;
    this.#query.then(
      (rows) => (this.#leave(connection), this.onEnd?.(), this.#resolve(withoutHoles(rows))),
      (error: unknown) => this.#fail(connection, error),
    );
  }

  /** Rejects the statement with ClientGoneError, unless it has ended already. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    if (!this.#reject) return;
    if (this.#connection) return cancelFirst(this.#pool, this.#connection);
    this.#pool.withdraw(this);
    this.refuse(new ClientGoneError());
  }

  refuse(error: Error): void {
    this.onEnd?.();
    this.#reject!(error);
  }

  /**
   * Sends a cancel request and resolves when the server has accepted it. Waits while the connection is opening: the
   * driver would lose the statement.
   */
  async stop(): Promise<void> {
    while (this.#query && !this.#query.active) await wait(OPENING_POLL_INTERVAL_MS);
    if (this.#query) await this.#query.canceller?.(this.#query);
  }

  mayBeStopped(): void {
    this.#mayBeStopped = true;
  }

  #fail(connection: PooledConnection, error: unknown): void {
    const isRepeated = this.#mayBeStopped && sqlState(error) === SQLSTATE.queryCanceled && !this.#isCancelled;
    this.#pool.failed(connection, error);
    this.#leave(connection);
    if (!isRepeated) return this.refuse(this.#isCancelled ? new ClientGoneError() : (error as Error));
    // A cancelled statement has changed nothing, so it can be repeated.
    this.#mayBeStopped = false;
    this.#connection = null;
    this.#pool.submit(this);
  }

  #leave(connection: PooledConnection): void {
    connection.sent.splice(connection.sent.indexOf(this), 1);
    this.#query = null;
    this.#pool.release(connection);
    if (connection.sent[0]?.isCancelled) cancelFirst(this.#pool, connection);
  }
}

/**
 * Removes the empty leading rows that the driver leaves when the previous statement was cancelled after sending rows:
 * it does not reset its row counter.
 */
function withoutHoles(rows: Rows): Rows {
  while (rows.length > 0 && rows[0] === undefined) rows.shift();
  return rows;
}

/**
 * Cancels the executing statement if it is marked as cancelled. Nothing else is sent on the connection until the
 * server has accepted the request. The request is repeated, because one that arrives between Parse and Execute has no
 * effect.
 */
function cancelFirst(pool: Pool, connection: PooledConnection): void {
  const [first] = connection.sent;
  if (!first?.isCancelled || connection.isCancelling) return;
  connection.isCancelling = true;
  for (const behind of connection.sent.slice(1)) behind.mayBeStopped();
  const done = (): void => {
    connection.isCancelling = false;
    pool.release(connection);
    if (connection.sent[0] === first) setTimeout(cancelFirst, CANCEL_RETRY_DELAY_MS, pool, connection).unref();
    else cancelFirst(pool, connection);
  };
  first.stop().then(done, done);
}
