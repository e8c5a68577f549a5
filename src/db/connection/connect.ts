import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { ConnectionWatch, type OpenTransaction, type WatchedClient } from './connection-watch.ts';
import { type Database, PooledDatabase } from './database.ts';
import { Listener, type ListeningClient, type Ping } from './listener.ts';
import { openDriver, type Settings } from './driver.ts';
import { Pool, type PoolCounts } from './pool.ts';
import { CONNECTION_LIFETIME_S, preparedStatements } from './prepared-statements.ts';
import { ClientSockets, KEEP_ALIVE_AFTER_S } from './client-sockets.ts';

/**
 * A connection attempt is given up after this time and retried, so that one begun during a network failure does not
 * block.
 */
const CONNECT_TIMEOUT_S = 5;
/**
 * Limit for an idle transaction, as a fraction of the statement timeout: locks of a lost client are released before
 * statements that wait for them time out.
 */
const IDLE_IN_TRANSACTION_PART = 2 / 3;
const CLOSE_TIMEOUT_S = 5;
/** Allowance for the network and a busy server, in addition to the statement timeout. */
const MAX_ANSWER_DELAY_MS = 5_000;
/** The driver's default back-off grows to 20 s for all connections, which is far longer than a restart of the server. */
const FIRST_RECONNECT_DELAY_S = 0.05;
const MAX_RECONNECT_DELAY_S = 0.5;

export type { PoolCounts };

export type Connection = {
  db: Database;
  listen: Listener['listen'];
  counts: () => PoolCounts;
  close: () => Promise<void>;
};

/** PostgreSQL's setting of this name. */
export type PlanCacheMode = 'auto' | 'force_generic_plan' | 'force_custom_plan';

export type ConnectOptions = {
  poolSize: number;
  statementTimeoutMs: number;
  /** Called after each committed transaction, with the id of its merchant, or an empty text if it has none. */
  onCommit?: (merchantId: string) => void;
  /** How PostgreSQL plans prepared statements. `placementOf` chooses the mode. */
  planCacheMode?: PlanCacheMode;
  /**
   * Whether a statement that needs more than one shard of a cluster fails or runs. `placementOf` chooses it; without
   * it, the setting of the database role applies.
   */
  fanOut?: 'fails' | 'runs';
  /** A statement that the listening connection sends every ten seconds, in place of one that reads nothing. */
  ping?: Ping;
  /** Called with every statement before it is sent. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void;
  applicationName?: string;
  /** Null: a connection is never replaced because of its age. */
  maxLifetimeS?: number | null;
  /** Called with the error of every statement and transaction that fails. */
  onError?: (error: unknown) => void;
};

const checkSettings: Settings = {
  max: 1,
  fetch_types: false,
  onnotice: () => {},
  connection: { application_name: 'commerce-connection-check' },
};

/** Connections are opened lazily, with their first statement. An unreachable database shows there. */
export function connect(url: string, options: ConnectOptions): Connection {
  const settings = settingsOf(options);
  const clients = Array.from({ length: options.poolSize }, () => openClient(url, settings));
  const pool = new Pool(
    clients.map(({ client }) => client),
    options.onError,
    options.onCommit,
  );
  const mayPrepare = preparedStatements();
  for (const watched of clients) prepareStatements(watched, (text) => mayPrepare(text, pool.ownerOf(watched.client)));
  const watch = new ConnectionWatch(pool, clients, {
    url,
    open: () => openPlain(url, checkSettings),
    endedAfterMs: options.statementTimeoutMs + MAX_ANSWER_DELAY_MS,
  });
  const listener = new Listener(
    (handlers) => openListening(url, { ...settings, max_lifetime: null, ...handlers }),
    options.ping,
  );
  return {
    db: new PooledDatabase(pool),
    listen: async (...subscription) => await listener.listen(...subscription),
    counts: () => pool.counts,
    close: async () => {
      await listener.close();
      await pool.end({ timeout: CLOSE_TIMEOUT_S });
      watch.stop();
    },
  };
}

function settingsOf({
  onStatement,
  statementTimeoutMs,
  applicationName,
  maxLifetimeS = CONNECTION_LIFETIME_S,
  planCacheMode = 'auto',
  fanOut,
}: ConnectOptions): Settings {
  return {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    max_lifetime: maxLifetimeS,
    keep_alive: KEEP_ALIVE_AFTER_S,
    backoff: (retries: number) => Math.min(FIRST_RECONNECT_DELAY_S * 2 ** retries, MAX_RECONNECT_DELAY_S),
    // Parameters are sent as text, with a cast where the type matters, so no catalogue query is needed on connect.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: applicationName ?? 'commerce-administration',
      // The server cancels statements after this time.
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: Math.ceil(statementTimeoutMs * IDLE_IN_TRANSACTION_PART),
      plan_cache_mode: planCacheMode,
      ...(fanOut && { 'citus.multi_task_query_log_level': fanOut === 'fails' ? 'error' : 'off' }),
    },
    ...(onStatement
      ? { debug: (_connection: number, text: string, parameters: unknown[]) => onStatement(text, parameters) }
      : {}),
  };
}

function openClient(url: string, settings: Settings): WatchedClient {
  const plain = openPlain(url, settings);
  // Called for its side effect: it makes the driver return raw text, which Drizzle converts.
  drizzle(plain.client);
  return { ...plain, backend: null, transaction: null };
}

function openListening(url: string, settings: Settings): ListeningClient {
  const { client, sockets } = openPlain(url, settings);
  return {
    unsafe: async (text) => await client.unsafe(text),
    end: async (options) => await client.end(options),
    reconnect: () => sockets.destroy(),
  };
}

function openPlain(url: string, settings: Settings): Pick<WatchedClient, 'client' | 'sockets'> {
  const sockets = new ClientSockets();
  // The option exists in the driver, but not in its types.
  return { client: openDriver(url, { ...settings, socket: sockets.connect } as Settings), sockets };
}

/**
 * Prepares repeated statements by name. Drizzle sends unnamed statements, which Postgres parses and plans each time;
 * measured, that costs a fifth of the rate. A document is sent as the same texts for any values: lists travel as one JSON
 * or array parameter.
 */
function prepareStatements(watched: WatchedClient, mayPrepare: (text: string) => boolean): void {
  const { client } = watched;
  prepareFrom(client, mayPrepare, (query) => {
    // The driver reuses one state object for all successive connections of a client.
    if (!watched.backend)
      query.then(
        ({ state }) => (watched.backend = state ?? null),
        () => undefined,
      );
  });
  const transactions = {
    opened: () => (watched.transaction = { unanswered: 0 }),
    ended: () => (watched.transaction = null),
  };
  wrapOpener(client as unknown as Opener, 'begin', transactions, mayPrepare);
}

function prepareFrom(
  sql: postgres.Sql,
  mayPrepare: (text: string) => boolean,
  onSent: (query: postgres.PendingQuery<postgres.Row[]>) => void,
): void {
  const unsafe = sql.unsafe.bind(sql);
  sql.unsafe = ((text: string, parameters: postgres.ParameterOrJSON<never>[] = [], options = {}) => {
    const query = unsafe(text, parameters, { ...options, prepare: parameters.length > 0 && mayPrepare(text) });
    onSent(query as never);
    return query;
  }) as typeof sql.unsafe;
}

/**
 * Wraps `begin` or `savepoint` and counts outstanding answers: those of the statements inside, and of BEGIN and
 * COMMIT themselves.
 */
function wrapOpener(
  opener: Opener,
  name: string,
  transactions: Transactions,
  mayPrepare: (text: string) => boolean,
): void {
  const open = opener[name]!.bind(opener);
  opener[name] = async (...args) => {
    const work = args.at(-1) as (transaction: postgres.Sql) => unknown;
    const transaction = transactions.opened();
    const answered = (): void => void (transaction.unanswered -= 1);
    const wrapped = async (sql: postgres.Sql): Promise<unknown> => {
      prepareFrom(sql, mayPrepare, (query) => {
        transaction.unanswered += 1;
        query.then(answered, answered);
      });
      wrapOpener(sql as unknown as Opener, 'savepoint', { opened: () => transaction, ended() {} }, mayPrepare);
      transaction.unanswered -= 1;
      try {
        return await work(sql);
      } finally {
        transaction.unanswered += 1;
      }
    };
    transaction.unanswered += 1;
    try {
      return await open(...args.slice(0, -1), wrapped);
    } finally {
      transaction.unanswered -= 1;
      transactions.ended();
    }
  };
}

type Transactions = { opened: () => OpenTransaction; ended: () => void };
/** An object whose methods open a transaction or savepoint and pass it to their last argument. */
type Opener = Record<string, (...args: unknown[]) => unknown>;

/** A single connection, for work that holds a session-level lock. */
export function connectOnce(url: string): postgres.Sql {
  return openDriver(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: CONNECT_TIMEOUT_S });
}
