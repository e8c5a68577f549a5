import { DrizzleQueryError, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDatabase } from 'drizzle-orm/pg-core';
import { type PostgresJsQueryResultHKT, PostgresJsSession } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { PoolDialect, StatementCache } from './prepared-statements.ts';
import type { ClientStream } from '../../limits/client-stream.ts';
import type { Span } from '../../tracing/span.ts';
import { type Pool, SERVICE_OWNER } from './pool.ts';
import type { AdmittedRequest, PooledStatement } from './pooled-statement.ts';
import { nameTrace, startStatement, traceTransaction } from './traced-statement.ts';

/** The pool, or a transaction on one of its connections. Statements run on both alike. */
export type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** The request or command that makes changes. */
export type ChangeOrigin = {
  readonly changeSetId: string;
  /** The SDL fields of the mutations in their order, or the command. */
  readonly operation: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  /** The person on whose behalf the app says that it acts. */
  readonly actor?: string;
  /**
   * Tells the triggers that record changes the origin of those of a transaction, by a statement that is sent at once.
   * Returns the transaction's name, and the end of the statement.
   */
  readonly begin: (transaction: DatabaseContext) => { id: string; sent: Promise<unknown> };
};

/** The part of a context that statements need: the pool, or the current transaction. */
export type DatabaseContext = {
  readonly db: Database;
  /** The origin of the changes that transactions make. Without it they are recorded like those of plain SQL. */
  readonly origin?: ChangeOrigin;
  /** Names the current transaction in the history. Missing outside of transactions, and without an origin. */
  readonly changeTransactionId?: string;
};

/** The cache of compiled SQL of the pool to which `db` belongs. */
export function statementsOf({ db }: DatabaseContext): StatementCache {
  // Drizzle passes the dialect of a database on to its transactions. The member is missing in Drizzle's types.
  return (db as unknown as { readonly dialect: PoolDialect }).dialect.statements;
}

/** On whose behalf statements are sent. */
type Sending = {
  readonly owner: string;
  /** Statements outside of transactions are cancelled when it disconnects. Null if several requests share them. */
  readonly client: ClientStream | null;
  /** Each statement is traced as its child. */
  readonly span: Span | null;
  /**
   * When the request was admitted; Infinity for work that may wait for connections for any time. Null: each statement
   * counts as admitted when it is sent to the pool. This is for requests that wait for other hosts or for the decoder
   * between two statements.
   */
  readonly admittedAtMs: number | null;
  /** Called when a statement outside of transactions gets its connection: its time without the wait begins. */
  readonly onSend: (() => void) | null;
};

const SERVICE: Sending = { owner: SERVICE_OWNER, client: null, span: null, admittedAtMs: Infinity, onSend: null };

/** The pool as one request sees it, or as the service itself does. */
export class PooledDatabase extends PgDatabase<PostgresJsQueryResultHKT> {
  readonly pool: Pool;
  readonly sending: Sending;
  readonly #sender: Sender;

  constructor(pool: Pool, sending = SERVICE) {
    const sender = new Sender(pool, sending);
    // Drizzle's session uses only `unsafe` and `begin` of the driver.
    super(
      pool.dialect,
      new PostgresJsSession(sender as unknown as postgres.Sql, pool.dialect, undefined, {}) as never,
      undefined,
    );
    this.pool = pool;
    this.sending = sending;
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

/**
 * The same pool for one request of a merchant, which is admitted now: its statements are accounted to the merchant.
 * If `client` is null, they are never cancelled. If `span` is null, their spans have the same parent as those of `db`.
 */
export function ofMerchant(
  db: Database,
  merchantId: string,
  client: ClientStream | null = null,
  span: Span | null = null,
): Database {
  if (!(db instanceof PooledDatabase)) return db;
  const traced = span ?? db.sending.span;
  const admittedAtMs = performance.now();
  return new PooledDatabase(db.pool, { ...db.sending, owner: merchantId, client, span: traced, admittedAtMs });
}

/** A database on the same pool, whose statements become child spans of `span`; `db` itself if `span` is null. */
export function withSpan(db: Database, span: Span | null): Database {
  return span ? withSending(db, { span }) : db;
}

/**
 * A database on the same pool, with these settings of `Sending` changed. Returns `db` itself for a transaction, and if the
 * settings are the same.
 */
export function withSending(db: Database, changed: Partial<Omit<Sending, 'owner'>>): Database {
  if (!(db instanceof PooledDatabase)) return db;
  const members = Object.keys(changed) as (keyof typeof changed)[];
  if (members.every((member) => db.sending[member] === changed[member])) return db;
  return new PooledDatabase(db.pool, { ...db.sending, ...changed });
}

type Answer = Promise<unknown> & { values(): Promise<unknown> };

class Sender {
  readonly #pool: Pool;
  readonly #sending: Sending;
  #running: Set<PooledStatement> | null = null;

  constructor(pool: Pool, sending: Sending) {
    this.#pool = pool;
    this.#sending = sending;
  }

  statement(text: string, parameters: postgres.ParameterOrJSON<never>[]): PooledStatement {
    const { client, onSend } = this.#sending;
    const statement = this.#pool.statement(this.#request(), (sql) => {
      onSend?.();
      return sql.unsafe(text, parameters) as never;
    });
    if (client) this.#follow(statement, client);
    return statement;
  }

  /** Runs a statement and traces it. The time of its span includes the wait for a connection. */
  run(statement: PooledStatement, text: string): Promise<unknown> {
    const rows = statement.run();
    const { span } = this.#sending;
    if (!span) return rows;
    const end = startStatement(span, text);
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
    const { span } = this.#sending;
    return await this.#pool.begin(
      this.#request(),
      span
        ? async (transaction) => {
            nameTrace(transaction, span);
            return await work(traceTransaction(transaction, span));
          }
        : work,
    );
  }

  #request(): AdmittedRequest {
    const { owner, admittedAtMs } = this.#sending;
    return { owner, admittedAtMs: admittedAtMs ?? performance.now() };
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
