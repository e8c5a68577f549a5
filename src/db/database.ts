import { PgDatabase, PgDialect } from 'drizzle-orm/pg-core';
import { type PostgresJsQueryResultHKT, PostgresJsSession } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { type Client, type Pool, type PooledStatement, SERVICE } from './pool.ts';

const dialect = new PgDialect();

/** The pool, or a transaction on one of its connections: statements run on either alike. */
export type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** Statements of one owner. Those outside of transactions are stopped when the client goes away. */
export class PooledDatabase extends PgDatabase<PostgresJsQueryResultHKT> {
  readonly pool: Pool;
  readonly owner: string;
  readonly client: Client | null;

  constructor(pool: Pool, owner = SERVICE, client: Client | null = null) {
    // Drizzle's session calls these two functions of the driver and no others.
    const sender = new Sender(pool, owner, client) as unknown as postgres.Sql;
    super(dialect, new PostgresJsSession(sender, dialect, undefined, {}) as never, undefined);
    this.pool = pool;
    this.owner = owner;
    this.client = client;
  }
}

/** The same database for one merchant, who shares it with the others. Without a client its statements run to their end. */
export function ofMerchant(db: Database, merchantId: string, client: Client | null = null): Database {
  return db instanceof PooledDatabase ? new PooledDatabase(db.pool, merchantId, client) : db;
}

/** For what is read for several requests at once: none of their clients stops it. */
export function withoutClient(db: Database): Database {
  return db instanceof PooledDatabase && db.client ? new PooledDatabase(db.pool, db.owner) : db;
}

type Answer = Promise<unknown> & { values(): Promise<unknown> };

class Sender {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #client: Client | null;
  #running: Set<PooledStatement> | null = null;

  constructor(pool: Pool, owner: string, client: Client | null) {
    this.#pool = pool;
    this.#owner = owner;
    this.#client = client;
  }

  unsafe(text: string, parameters: postgres.ParameterOrJSON<never>[], options: object): Answer {
    const statement = this.#pool.statement(this.#owner, (client) => client.unsafe(text, parameters, options) as never);
    if (this.#client) this.#follow(statement, this.#client);
    // A turn later, as the driver does it: Drizzle calls `values` first where it wants them.
    const answer: Promise<unknown> = Promise.resolve().then(async () => await statement.run());
    const values = async (): Promise<unknown> => {
      statement.asValues();
      return await answer;
    };
    return Object.assign(answer, { values });
  }

  async begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    return await this.#pool.begin(this.#owner, work);
  }

  #follow(statement: PooledStatement, client: Client): void {
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
