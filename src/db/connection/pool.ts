import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { RoundRobinQueue } from '../../round-robin-queue.ts';
import { sqlState } from '../errors/sql-state.ts';

/**
 * The fraction of the connections that one merchant may use. Its further statements wait, which leaves connections
 * for others.
 */
const SHARE_PER_MERCHANT = 3 / 4;
/** Statements pipelined on one connection for one merchant, while no other merchant waits. */
const MAX_PIPELINED = 4;
/** Owner of the service's own statements, such as token look-ups. It may use every connection. */
export const SERVICE_OWNER = '';

const CANCELLED_AGAIN_AFTER_MS = 100;
/** Poll interval while a statement to be cancelled waits for its connection to open. */
const OPENING_CHECKED_EVERY_MS = 20;
const QUERY_CANCELED = '57014';

/** The client disconnected before the statement was executed, or during it. */
export class ClientGoneError extends Error {
  readonly code = 'CLIENT_GONE';

  constructor() {
    super('The client did not wait.');
  }
}

/** Emits `close` when the client disconnects. */
export type ClientStream = { once(event: 'close', listener: () => void): unknown; readonly destroyed?: boolean };

type Rows = postgres.RowList<postgres.Row[]>;
type Query = postgres.PendingQuery<postgres.Row[]> & {
  /** Whether the server is executing it. */
  readonly active: boolean;
  /**
   * The driver's `cancel()` with the promise that the driver does not expose. It resolves when the server has
   * accepted the request.
   */
  canceller: ((query: Query) => Promise<void>) | null;
};

type Send = (client: postgres.Sql) => Query;

/** A unit of work. A transaction has its connection to itself until it ends. */
type Work = {
  readonly owner: string;
  readonly isTransaction: boolean;
  start(connection: PooledConnection): void;
};

type PooledConnection = {
  readonly client: postgres.Sql;
  owner: string;
  /** Sent and unanswered statements. The first one is executing. */
  sent: PooledStatement[];
  inTransaction: boolean;
  /** A cancel request is in flight. It cancels whatever executes when it arrives. */
  isCancelling: boolean;
};

/**
 * A connection pool with round-robin scheduling by merchant. A connection serves one merchant at a time: no statement
 * waits behind another merchant's, and a cancel request cannot hit another merchant's statement.
 */
export class Pool {
  readonly #idle: PooledConnection[];
  readonly #inUse = new Map<string, PooledConnection[]>();
  readonly #queue = new RoundRobinQueue<Work>();
  readonly #shareMax: number;
  readonly #clients: readonly postgres.Sql[];

  constructor(clients: readonly postgres.Sql[]) {
    this.#clients = clients;
    this.#idle = clients.map((client) => ({
      client,
      owner: SERVICE_OWNER,
      sent: [],
      inTransaction: false,
      isCancelling: false,
    }));
    this.#shareMax = connectionsPerMerchant(clients.length);
  }

  statement(owner: string, send: Send): PooledStatement {
    return new PooledStatement(this, owner, send);
  }

  /** Clients whose connections are in use. */
  lentClients(): postgres.Sql[] {
    return [...this.#inUse.values()].flatMap((connections) => connections.map(({ client }) => client));
  }

  /** Runs `work` in a transaction on a dedicated connection. */
  async begin<T>(owner: string, work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const connection = await new Promise<PooledConnection>((resolve) => {
      const start = (connection: PooledConnection): void => {
        // Released immediately: an idle connection outside of a transaction can serve others.
        connection.inTransaction = true;
        resolve(connection);
      };
      this.submit({ owner, isTransaction: true, start });
    });
    try {
      return (await connection.client.begin(work)) as T;
    } finally {
      connection.inTransaction = false;
      this.release(connection);
    }
  }

  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#clients.map(async (client) => await client.end(options)));
  }

  submit(work: Work): void {
    const isFirst = this.#queue.size === 0;
    const connection = isFirst ? this.#connectionFor(work) : undefined;
    if (connection) {
      this.#take(connection, work.owner);
      return work.start(connection);
    }
    this.#queue.push(work);
    // The waiting merchants may all be at their limit while this one is not.
    if (!isFirst) this.#admit();
  }

  withdraw(work: Work): void {
    this.#queue.remove(work);
    this.#admit();
  }

  /** Called when a statement, a transaction or a cancellation has ended. */
  release(connection: PooledConnection): void {
    if (connection.sent.length === 0 && !connection.inTransaction && !connection.isCancelling)
      this.#giveBack(connection);
    this.#admit();
  }

  #admit(): void {
    let connection: PooledConnection | undefined;
    for (;;) {
      const next = this.#queue.next((work) => (connection = this.#connectionFor(work)) !== undefined);
      if (!next) return;
      this.#queue.take(next);
      this.#take(connection!, next.owner);
      next.start(connection!);
    }
  }

  #connectionFor({ owner, isTransaction }: Work): PooledConnection | undefined {
    const own = this.#inUse.get(owner);
    const idle = this.#idle.at(-1);
    if (idle && (own === undefined || own.length < this.#shareMax || owner === SERVICE_OWNER)) return idle;
    const isAlone = this.#queue.size === this.#queue.lengthOf(owner);
    return own && isAlone && !isTransaction ? leastLoaded(own) : undefined;
  }

  #take(connection: PooledConnection, owner: string): void {
    if (connection !== this.#idle.at(-1)) return;
    this.#idle.pop();
    connection.owner = owner;
    const own = this.#inUse.get(owner);
    if (own) own.push(connection);
    else this.#inUse.set(owner, [connection]);
  }

  #giveBack(connection: PooledConnection): void {
    const own = this.#inUse.get(connection.owner)!;
    if (own.length === 1) this.#inUse.delete(connection.owner);
    else own.splice(own.indexOf(connection), 1);
    this.#idle.push(connection);
  }
}

export function connectionsPerMerchant(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize * SHARE_PER_MERCHANT));
}

function leastLoaded(connections: readonly PooledConnection[]): PooledConnection | undefined {
  let least: PooledConnection | undefined;
  for (const connection of connections) {
    if (connection.inTransaction || connection.isCancelling || connection.sent.length >= MAX_PIPELINED) continue;
    if (!least || connection.sent.length < least.sent.length) least = connection;
  }
  return least;
}

/** One statement outside of a transaction. */
export class PooledStatement implements Work {
  readonly owner: string;
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
  /** A late cancel request for the previous statement may hit this one. */
  #mayBeStopped = false;

  constructor(pool: Pool, owner: string, send: Send) {
    this.#pool = pool;
    this.owner = owner;
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
      (rows) => (this.#end(connection), this.#resolve(withoutHoles(rows))),
      (error: unknown) => this.#fail(connection, error),
    );
  }

  /** Rejects it with ClientGoneError, unless it is settled already. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    if (!this.#reject) return;
    if (this.#connection) return cancelFirst(this.#pool, this.#connection);
    this.#pool.withdraw(this);
    this.onEnd?.();
    this.#reject(new ClientGoneError());
  }

  /**
   * Sends a cancel request and resolves when the server has accepted it. Waits while the connection is opening: the
   * driver would lose the statement.
   */
  async stop(): Promise<void> {
    while (this.#query && !this.#query.active) await wait(OPENING_CHECKED_EVERY_MS);
    if (this.#query) await this.#query.canceller?.(this.#query);
  }

  mayBeStopped(): void {
    this.#mayBeStopped = true;
  }

  #fail(connection: PooledConnection, error: unknown): void {
    const isRepeated = this.#mayBeStopped && sqlState(error) === QUERY_CANCELED && !this.#isCancelled;
    this.#end(connection);
    if (!isRepeated) return this.#reject!(this.#isCancelled ? new ClientGoneError() : error);
    // A cancelled statement has changed nothing, so it can be repeated.
    this.#mayBeStopped = false;
    this.#connection = null;
    this.#pool.submit(this);
  }

  #end(connection: PooledConnection): void {
    connection.sent.splice(connection.sent.indexOf(this), 1);
    this.#query = null;
    this.onEnd?.();
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
    if (connection.sent[0] === first) setTimeout(cancelFirst, CANCELLED_AGAIN_AFTER_MS, pool, connection).unref();
    else cancelFirst(pool, connection);
  };
  first.stop().then(done, done);
}
