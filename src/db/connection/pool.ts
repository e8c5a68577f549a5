import type postgres from 'postgres';
import { FairScheduler } from '../../limits/fair-scheduler.ts';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';
import { PoolDialect } from './prepared-statements.ts';
import {
  type AdmittedRequest,
  type PooledConnection,
  PooledStatement,
  type Send,
  type Work,
} from './pooled-statement.ts';

/** The fraction of the connections that one merchant may use while no other merchant is active. */
const SHARE_PER_MERCHANT = 3 / 4;

/** Statements pipelined on one connection for one merchant, while no other merchant waits. */
const MAX_PIPELINED = 4;

/** A connection is closed once in this time at most: a server with a full disk, for example, stays read-only. */
const CLOSE_INTERVAL_MS = 5_000;

/** Owner of the service's own statements, such as token look-ups. It may use every connection. */
export const SERVICE_OWNER = '';

/** Connections, those with a statement or transaction, and the statements that wait for one. */
export type PoolCounts = { readonly size: number; readonly inUse: number; readonly waiting: number };

/**
 * A connection pool whose connections are divided fairly between merchants. A connection serves one merchant at a time:
 * no statement waits behind another merchant's, and a cancel request cannot hit another merchant's statement.
 */
export class Pool {
  readonly #idle: PooledConnection[];
  readonly #inUse = new Map<string, PooledConnection[]>();
  readonly #scheduler: FairScheduler<Work>;
  readonly #connections: readonly PooledConnection[];
  readonly dialect = new PoolDialect();
  readonly #onCommit: ((owner: string) => void) | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(
    clients: readonly postgres.Sql[],
    onError: (error: unknown) => void = () => {},
    onCommit?: (owner: string) => void,
  ) {
    this.#onError = onError;
    this.#onCommit = onCommit;
    this.#connections = clients.map((client) => ({
      client,
      owner: SERVICE_OWNER,
      sent: [],
      inTransaction: false,
      isCancelling: false,
      beginsForMs: Infinity,
      workingSinceMs: 0,
      closedAtMs: -Infinity,
    }));
    this.#idle = [...this.#connections];
    this.#scheduler = new FairScheduler({
      max: clients.length,
      maxPerOwner: connectionsPerMerchant(clients.length),
      commonOwner: SERVICE_OWNER,
    });
  }

  statement(request: AdmittedRequest, send: Send): PooledStatement {
    return new PooledStatement(this, request, send);
  }

  get counts(): PoolCounts {
    const size = this.#connections.length;
    return { size, inUse: size - this.#idle.length, waiting: this.#scheduler.waiting };
  }

  /**
   * Clients whose connections are in use, each with the time at which the first request was admitted that has had no
   * answer from it; Infinity for a transaction that has begun.
   */
  lentClients(): Map<postgres.Sql, number> {
    const connections = [...this.#inUse.values()].flat();
    return new Map(connections.map((connection) => [connection.client, admittedAtMs(connection)]));
  }

  /** The merchant that a client's connection serves, or has served last. */
  ownerOf(client: postgres.Sql): string {
    return this.#connections.find((connection) => connection.client === client)!.owner;
  }

  /** Refuses the statements and transactions that wait for a connection, of requests that were admitted before. */
  refuseWaiting(admittedBeforeMs: number): void {
    const overdue = [...this.#scheduler.items()].filter((work) => work.admittedAtMs < admittedBeforeMs);
    for (const work of overdue) {
      this.#scheduler.remove(work);
      work.refuse(new OverdueError());
    }
    this.#admit();
  }

  /** Runs `work` in a transaction on a dedicated connection. */
  async begin<T>(request: AdmittedRequest, work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const connection = await this.#connectionFor(request);
    try {
      const result = (await connection.client.begin(async (transaction) => {
        connection.beginsForMs = Infinity;
        return await work(transaction);
      })) as T;
      this.#onCommit?.(request.owner);
      return result;
    } catch (error) {
      this.failed(connection, error);
      throw error;
    } finally {
      connection.beginsForMs = Infinity;
      connection.inTransaction = false;
      this.release(connection);
    }
  }

  /**
   * Called with the error of every statement and transaction that fails. A read-only server may be a former primary that
   * was restarted as a standby. Its connection is closed after its statements, so that the next one resolves the host name
   * again.
   */
  failed(connection: PooledConnection, error: unknown): void {
    this.#onError(error);
    const nowMs = performance.now();
    if (sqlState(error) !== SQLSTATE.readOnly || nowMs - connection.closedAtMs < CLOSE_INTERVAL_MS) return;
    connection.closedAtMs = nowMs;
    // The driver never reopens a connection that is closed twice. This one is open: it has just answered.
    void (connection.client as unknown as Closable).close();
  }

  async #connectionFor({ owner, admittedAtMs }: AdmittedRequest): Promise<PooledConnection> {
    return await new Promise((resolve, refuse) => {
      const start = (connection: PooledConnection): void => {
        // Released immediately: an idle connection outside of a transaction can serve others.
        connection.inTransaction = true;
        connection.beginsForMs = admittedAtMs;
        resolve(connection);
      };
      this.submit({ owner, weight: 1, admittedAtMs, isTransaction: true, start, refuse });
    });
  }

  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#connections.map(async ({ client }) => await client.end(options)));
  }

  submit(work: Work): void {
    if (this.#scheduler.tryStart(work.owner, work.weight)) return work.start(this.#takeIdle(work.owner));
    const isFirst = this.#scheduler.waiting === 0;
    const connection = isFirst ? this.#pipelining(work) : undefined;
    if (connection) return work.start(connection);
    this.#scheduler.push(work);
    // The waiting merchants may all be at their limit while this one is not.
    if (!isFirst) this.#admit();
  }

  withdraw(work: Work): void {
    this.#scheduler.remove(work);
    this.#admit();
  }

  /** Called when a statement, a transaction or a cancellation has ended. */
  release(connection: PooledConnection): void {
    const nowMs = performance.now();
    this.#scheduler.record(connection.owner, nowMs - connection.workingSinceMs);
    connection.workingSinceMs = nowMs;
    if (connection.sent.length === 0 && !connection.inTransaction && !connection.isCancelling)
      this.#giveBack(connection);
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#scheduler.next(); next; next = this.#scheduler.next()) next.start(this.#takeIdle(next.owner));
    for (;;) {
      const next = this.#scheduler.firstOfOnlyOwner();
      const connection = next && this.#pipelining(next);
      if (!connection) return;
      this.#scheduler.remove(next);
      next.start(connection);
    }
  }

  /** A connection of the same merchant that takes another statement. Only while no other merchant waits. */
  #pipelining({ owner, isTransaction }: Work): PooledConnection | undefined {
    const own = this.#inUse.get(owner);
    return own && !isTransaction ? leastLoaded(own) : undefined;
  }

  #takeIdle(owner: string): PooledConnection {
    const connection = this.#idle.pop()!;
    connection.owner = owner;
    connection.workingSinceMs = performance.now();
    const own = this.#inUse.get(owner);
    if (own) own.push(connection);
    else this.#inUse.set(owner, [connection]);
    return connection;
  }

  #giveBack(connection: PooledConnection): void {
    const own = this.#inUse.get(connection.owner)!;
    if (own.length === 1) this.#inUse.delete(connection.owner);
    else own.splice(own.indexOf(connection), 1);
    this.#idle.push(connection);
    this.#scheduler.end(connection.owner, 1);
  }
}

/** The request has waited for connections until its deadline. */
class OverdueError extends Error {
  readonly code = 'REQUEST_OVERDUE';

  constructor() {
    super('No connection to the database became free in time.');
  }
}

/** The method exists in the driver, but not in its types. */
type Closable = { close(): Promise<void> };

export function connectionsPerMerchant(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize * SHARE_PER_MERCHANT));
}

function admittedAtMs({ sent, beginsForMs }: PooledConnection): number {
  return Math.min(beginsForMs, ...sent.map((statement) => statement.admittedAtMs));
}

function leastLoaded(connections: readonly PooledConnection[]): PooledConnection | undefined {
  let least: PooledConnection | undefined;
  for (const connection of connections) {
    if (connection.inTransaction || connection.isCancelling || connection.sent.length >= MAX_PIPELINED) continue;
    if (!least || connection.sent.length < least.sent.length) least = connection;
  }
  return least;
}
