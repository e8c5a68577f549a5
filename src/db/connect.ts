import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { type Database, PooledDatabase } from './database.ts';
import { type Listener, openListener } from './listener.ts';
import { Pool } from './pool.ts';
import { CONNECTION_LIFETIME_S, preparedTexts } from './prepared-texts.ts';
import { KEEP_ALIVE_AFTER_S, watchedSockets } from './socket.ts';

/** A connection that was begun while the network was away is given up so soon, and begun again. */
const CONNECT_TIMEOUT_S = 5;
/**
 * How long a transaction may wait for its client, as a part of the statement timeout: who waits for the locks
 * of a client that is gone gets them before its own statement times out.
 */
const IDLE_IN_TRANSACTION_PART = 2 / 3;
const CLOSE_TIMEOUT_S = 5;
/** What the network and a busy server may take beyond the statement itself. */
const ANSWER_DELAY_MAX_MS = 5_000;
/** The driver's own delays grow to 20 s, for all connections together: far longer than a server's restart. */
const RECONNECT_DELAY_FIRST_S = 0.05;
const RECONNECT_DELAY_MAX_S = 0.5;

export type { Database };

export type Connection = {
  db: Database;
  listen: Listener['listen'];
  close: () => Promise<void>;
};

export type ConnectOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** Sees every statement before it is sent. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void;
  applicationName?: string;
};

/** Opens each connection with its first statement: a database that is down shows there. */
export function connect(url: string, options: ConnectOptions): Connection {
  const { onStatement } = options;
  // The driver knows more settings than its types.
  const settings: postgres.Options<{}> & { socket: ReturnType<typeof watchedSockets> } = {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    max_lifetime: CONNECTION_LIFETIME_S,
    // Postgres ends a statement that takes too long, and says so.
    socket: watchedSockets(options.statementTimeoutMs + ANSWER_DELAY_MAX_MS),
    keep_alive: KEEP_ALIVE_AFTER_S,
    backoff: (retries: number) => Math.min(RECONNECT_DELAY_FIRST_S * 2 ** retries, RECONNECT_DELAY_MAX_S),
    // Every parameter is sent as text with a cast where it matters: no catalogue look-up on connect.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? 'commerce-administration',
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: Math.ceil(options.statementTimeoutMs * IDLE_IN_TRANSACTION_PART),
    },
    ...(onStatement ? { debug: (_connection: number, text: string, parameters: unknown[]) => onStatement(text, parameters) } : {}),
  };
  const mayPrepare = preparedTexts();
  const clients = Array.from({ length: options.poolSize }, () => {
    const client = postgres(url, settings);
    // Called for what it changes of the client: values are left as Postgres writes them, and converted by Drizzle.
    drizzle(client);
    prepareStatements(client, mayPrepare);
    return client;
  });
  const pool = new Pool(clients);
  const alone = { ...settings, max_lifetime: null, socket: watchedSockets(ANSWER_DELAY_MAX_MS) };
  const listener = openListener((handlers) => postgres(url, { ...alone, ...handlers }));
  return {
    db: new PooledDatabase(pool),
    listen: listener.listen,
    close: async () => {
      await listener.close();
      await pool.end({ timeout: CLOSE_TIMEOUT_S });
    },
  };
}

/**
 * Drizzle sends statements unnamed, so Postgres would parse and plan each anew (measured: a fifth
 * of the rate). The texts are few, because lists travel as one JSON or array parameter.
 */
function prepareStatements(client: postgres.Sql, mayPrepare: (text: string) => boolean): void {
  const wrap = (sql: postgres.Sql): void => {
    const unsafe = sql.unsafe.bind(sql);
    sql.unsafe = ((text: string, parameters: postgres.ParameterOrJSON<never>[] = [], options = {}) =>
      unsafe(text, parameters, { ...options, prepare: parameters.length > 0 && mayPrepare(text) })) as typeof sql.unsafe;
    if ('savepoint' in sql) wrapOpener(sql as unknown as Opener, 'savepoint');
  };
  const wrapOpener = (opener: Opener, name: string): void => {
    const open = opener[name]!.bind(opener);
    opener[name] = (...args) => {
      const work = args.at(-1) as (transaction: postgres.Sql) => unknown;
      const wrapped = (transaction: postgres.Sql) => {
        wrap(transaction);
        return work(transaction);
      };
      return open(...args.slice(0, -1), wrapped);
    };
  };
  wrap(client);
  wrapOpener(client as unknown as Opener, 'begin');
}

/** Something with functions that open a transaction, or a savepoint in one, and hand it to their last argument. */
type Opener = Record<string, (...args: unknown[]) => unknown>;

/** One connection, for work that holds a lock of the session. */
export function connectOnce(url: string): postgres.Sql {
  return postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: CONNECT_TIMEOUT_S });
}
