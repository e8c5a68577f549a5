import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { RoundRobinQueue } from '../../round-robin-queue.ts';
import { sqlState } from '../errors/sql-state.ts';

/** While a merchant's statements use this part of the connections, its further ones wait, so that the others find one. */
const SHARE_PER_MERCHANT = 3 / 4;
/** Statements of one merchant sent ahead on one connection; only while no other merchant waits. */
const MAX_PIPELINED = 4;
/** What the service asks for itself, as the sessions of tokens, may use every connection. */
export const SERVICE_OWNER = '';

const CANCELLED_AGAIN_AFTER_MS = 100;
/** How often a statement that is to be stopped is looked at, while its connection is being opened. */
const OPENING_CHECKED_EVERY_MS = 20;
const QUERY_CANCELED = '57014';

/** The client went away before the statement was executed, or while it was. */
export class ClientGoneError extends Error {
  readonly code = 'CLIENT_GONE';

  constructor() {
    super('The client did not wait.');
  }
}

/** Emits `close` when nobody waits for the answer any more. */
export type ClientStream = { once(event: 'close', listener: () => void): unknown; readonly destroyed?: boolean };

type Rows = postgres.RowList<postgres.Row[]>;
type Query = postgres.PendingQuery<postgres.Row[]> & {
  /** Whether the server executes it now. */
  readonly active: boolean;
  /** The driver's `cancel()`, with the promise that it keeps to itself. Fulfilled when the server has taken the request. */
  canceller: ((query: Query) => Promise<void>) | null;
};

type Send = (client: postgres.Sql) => Query;

/** A statement, or a transaction, which has its connection for itself until it ends. */
type Work = {
  readonly owner: string;
  readonly isTransaction: boolean;
  start(connection: PooledConnection): void;
};

type PooledConnection = {
  readonly client: postgres.Sql;
  owner: string;
  /** Statements that were sent and not yet answered. The first is being executed. */
  sent: PooledStatement[];
  inTransaction: boolean;
  /** A request to cancel is under way: it would hit whatever is executed when it arrives. */
  isCancelling: boolean;
};

/**
 * Single connections, lent to statements of merchants round robin. A connection serves one merchant at a time,
 * so that nobody's statement waits behind another merchant's, and no cancelled statement is another merchant's.
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

  /** The clients whose connections execute something, or are in a transaction. */
  lentClients(): postgres.Sql[] {
    return [...this.#inUse.values()].flatMap((connections) => connections.map(({ client }) => client));
  }

  /** Runs `work` in a transaction on a connection of its own. */
  async begin<T>(owner: string, work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const connection = await new Promise<PooledConnection>((resolve) => {
      const start = (connection: PooledConnection): void => {
        // At once: a connection that executes nothing and is in no transaction may be given to others.
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
    // Those that wait may be merchants who have their share, and this one not.
    if (!isFirst) this.#admit();
  }

  withdraw(work: Work): void {
    this.#queue.remove(work);
    this.#admit();
  }

  /** Called when a statement or transaction has ended, or a cancellation. */
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
      this.#queue.serve(next);
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

/** One statement outside of transactions. */
export class PooledStatement implements Work {
  readonly owner: string;
  readonly isTransaction = false;
  /** Called once, when nothing is left to be stopped. */
  onEnd: (() => void) | null = null;
  readonly #pool: Pool;
  readonly #send: Send;
  #query: Query | null = null;
  #connection: PooledConnection | null = null;
  #resolve: (rows: Rows) => void = () => {};
  #reject: ((error: unknown) => void) | null = null;
  #isValues = false;
  #isCancelled = false;
  /** A request to cancel a statement before it may come too late for that one, and stop this one. */
  #mayBeStopped = false;

  constructor(pool: Pool, owner: string, send: Send) {
    this.#pool = pool;
    this.owner = owner;
    this.#send = send;
  }

  /** Sends it when it is its turn. */
  run(): Promise<Rows> {
    return new Promise<Rows>((resolve, reject) => {
      if (this.#isCancelled) return reject(new ClientGoneError());
      this.#resolve = resolve;
      this.#reject = reject;
      this.#pool.submit(this);
    });
  }

  /** Rows as arrays instead of records, as the driver names it. */
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

  /** Ends it with ClientGoneError, unless its answer is here already. */
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
   * Asks the server to stop the statement, and settles when the server has taken the request. Waits while the connection is
   * being opened: the driver would lose it with the statement.
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
    // A statement that was stopped has changed nothing.
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
 * Without the places at the beginning that the driver leaves empty when the statement before was stopped after it had sent some
 * rows: it goes on counting from these.
 */
function withoutHoles(rows: Rows): Rows {
  while (rows.length > 0 && rows[0] === undefined) rows.shift();
  return rows;
}

/**
 * Stops the statement that the connection executes, if it is cancelled. Until the server has taken the request, nothing else is
 * sent there. The request is repeated: one that arrives between the statement's text and its execution has no effect.
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
