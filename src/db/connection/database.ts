import { DrizzleQueryError, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDatabase } from 'drizzle-orm/pg-core';
import { type PostgresJsQueryResultHKT, PostgresJsSession } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { PoolDialect } from './dialect.ts';
import type { ClientStream } from '../../client-stream.ts';
import type { Span } from '../../tracing/span.ts';
import { type Pool, SERVICE_OWNER } from './pool.ts';
import type { PooledStatement } from './pooled-statement.ts';
import type { StatementCache } from './statement-cache.ts';
import { nameTrace, startStatement, traceTransaction } from './traced-statement.ts';

/** The pool, or a transaction on one of its connections. Statements run on both alike. */
export type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** The part of a context that statements need: the pool, or the current transaction. */
export type DatabaseContext = { readonly db: Database };

/** The cache of compiled SQL of the pool to which `db` belongs. */
export function statementsOf({ db }: DatabaseContext): StatementCache {
  // Drizzle passes the dialect of a database on to its transactions. The member is missing in Drizzle's types.
  return (db as unknown as { readonly dialect: PoolDialect }).dialect.statements;
}

/**
 * The pool as one owner sees it. Statements outside of transactions are cancelled when the client disconnects. With a
 * `span`, each statement is traced as its child.
 */
export class PooledDatabase extends PgDatabase<PostgresJsQueryResultHKT> {
  readonly pool: Pool;
  readonly owner: string;
  readonly client: ClientStream | null;
  readonly span: Span | null;
  readonly #sender: Sender;

  constructor(pool: Pool, owner = SERVICE_OWNER, client: ClientStream | null = null, span: Span | null = null) {
    const sender = new Sender(pool, owner, client, span);
    // Drizzle's session uses only `unsafe` and `begin` of the driver.
    super(
      pool.dialect,
      new PostgresJsSession(sender as unknown as postgres.Sql, pool.dialect, undefined, {}) as never,
      undefined,
    );
    this.pool = pool;
    this.owner = owner;
    this.client = client;
    this.span = span;
    this.#sender = sender;
  }

  /** Does not use Drizzle's session: its overhead is half of the cost of sending a statement. */
  override execute(query: SQLWrapper | string): never {
    // Callers only use the promise part of Drizzle's return type.
    return this.#execute(typeof query === 'string' ? sql.raw(query) : query) as never;
  }

  async #execute(query: SQLWrapper): Promise<unknown> {
    const { sql: text, params } = this.pool.dialect.sqlToQuery(query.getSQL());
    try {
      return await this.#sender.run(this.#sender.statement(text, params as postgres.ParameterOrJSON<never>[]), text);
    } catch (error) {
      throw new DrizzleQueryError(text, params, error as Error);
    }
  }
}

/** The same pool, with statements accounted to one merchant. Without `client` they are never cancelled. */
export function ofMerchant(
  db: Database,
  merchantId: string,
  client: ClientStream | null = null,
  span: Span | null = null,
): Database {
  return db instanceof PooledDatabase ? new PooledDatabase(db.pool, merchantId, client, span) : db;
}

/** For reads that several requests share: no single client may cancel them. */
export function withoutClient(db: Database): Database {
  return db instanceof PooledDatabase && db.client ? new PooledDatabase(db.pool, db.owner, null, db.span) : db;
}

/** A database on the same pool, whose statements become child spans of `span`; `db` itself if `span` is null. */
export function withSpan(db: Database, span: Span | null): Database {
  return span && db instanceof PooledDatabase ? new PooledDatabase(db.pool, db.owner, db.client, span) : db;
}

type Answer = Promise<unknown> & { values(): Promise<unknown> };

class Sender {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #client: ClientStream | null;
  readonly #span: Span | null;
  #running: Set<PooledStatement> | null = null;

  constructor(pool: Pool, owner: string, client: ClientStream | null, span: Span | null) {
    this.#pool = pool;
    this.#owner = owner;
    this.#client = client;
    this.#span = span;
  }

  statement(text: string, parameters: postgres.ParameterOrJSON<never>[]): PooledStatement {
    const statement = this.#pool.statement(this.#owner, (client) => client.unsafe(text, parameters) as never);
    if (this.#client) this.#follow(statement, this.#client);
    return statement;
  }

  /** Runs a statement and traces it. The time of its span includes the wait for a connection. */
  run(statement: PooledStatement, text: string): Promise<unknown> {
    const rows = statement.run();
    if (!this.#span) return rows;
    const end = startStatement(this.#span, text);
    rows.then(() => end(), end);
    return rows;
  }

  unsafe(text: string, parameters: postgres.ParameterOrJSON<never>[]): Answer {
    const statement = this.statement(text, parameters);
    // Deferred by a microtask, like the driver: Drizzle may call `values` first.
    const answer: Promise<unknown> = Promise.resolve().then(async () => await this.run(statement, text));
    const values = async (): Promise<unknown> => {
      statement.asValues();
      return await answer;
    };
    return Object.assign(answer, { values });
  }

  async begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    const span = this.#span;
    return await this.#pool.begin(
      this.#owner,
      span
        ? async (transaction) => {
            nameTrace(transaction, span);
            return await work(traceTransaction(transaction, span));
          }
        : work,
    );
  }

  #follow(statement: PooledStatement, client: ClientStream): void {
    if (client.destroyed) return statement.cancel();
    if (!this.#running) {
      const running = (this.#running = new Set());
      client.once('close', () => running.forEach((one) => one.cancel()));
    }
    const running = this.#running;
    running.add(statement);
    statement.onEnd = () => running.delete(statement);
  }
}
