import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Pool } from './pool.ts';
import type { ClientSockets } from './client-sockets.ts';

const WATCH_INTERVAL_MS = 500;
/** Postgres is asked about a connection that has been silent for so long, and then again as often. Few statements take longer. */
const MAX_SILENCE_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;

/** A client of the driver, and what is known of its connection. */
export type WatchedClient = {
  readonly client: postgres.Sql;
  readonly sockets: ClientSockets;
  /** The server's process, which the driver keeps up to date. Null before the first answer. */
  backend: { readonly pid: number } | null;
  /** The last one that was begun. */
  transaction: OpenTransaction | null;
};

/** With the number of statements that are sent and not answered. */
export type OpenTransaction = { unanswered: number };

/** `silentSinceMs` is null while no answer is expected. */
type Watched = WatchedClient & { silentSinceMs: number | null; checkedAtMs: number };

type Options = {
  url: string;
  /** Another client of the same server, for one check. */
  open: () => Pick<WatchedClient, 'client' | 'sockets'>;
  endedAfterMs: number;
};

type ServerProcess = { pid: number; isOwn: boolean; state: string | null; waitsFor: string | null };

const PROCESSES = `
  select pid, pid = pg_backend_pid() as "isOwn", state, wait_event_type as "waitsFor"
  from pg_stat_activity where pid = any($1::int[]) or pid = pg_backend_pid()`;
/** Else it would keep its locks until `idle_in_transaction_session_timeout`, as it does not learn that its client is gone. */
const END_PROCESSES = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and usename = current_user and (state <> 'active' or wait_event_type = 'Client')`;

/**
 * Ends connections whose network is gone without a word. To the client they look like those whose statements take long, so
 * Postgres is asked, on a connection opened for the question, what the processes behind them do. One that waits for the client, or
 * is gone, has lost the statement or its answer. Where Postgres does not tell, a silent connection is ended after `endedAfterMs`.
 */
export class ConnectionWatch {
  /** Of this process. */
  static readonly #watches = new Set<ConnectionWatch>();
  readonly #pool: Pool;
  readonly #all: readonly Watched[];
  readonly #url: string;
  readonly #open: Options['open'];
  readonly #endedAfterMs: number;
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  constructor(pool: Pool, clients: readonly WatchedClient[], { url, open, endedAfterMs }: Options) {
    this.#pool = pool;
    this.#all = clients.map((client) => Object.assign(client, { silentSinceMs: null, checkedAtMs: 0 }));
    this.#url = url;
    this.#open = open;
    this.#endedAfterMs = endedAfterMs;
    this.#timer = setInterval(() => this.#watch(), WATCH_INTERVAL_MS).unref();
    ConnectionWatch.#watches.add(this);
  }

  stop(): void {
    ConnectionWatch.#watches.delete(this);
    clearInterval(this.#timer);
  }

  #watch(): void {
    const nowMs = performance.now();
    this.#look(nowMs);
    const silent = this.#all.filter(({ silentSinceMs }) => silentSinceMs !== null);
    for (const watched of silent) if (nowMs - watched.silentSinceMs! > this.#endedAfterMs) this.#end(watched);
    const unchecked = silent.filter(
      ({ backend, silentSinceMs, checkedAtMs }) =>
        backend && nowMs - Math.max(silentSinceMs!, checkedAtMs) > MAX_SILENCE_MS,
    );
    if (unchecked.length > 0 && !this.#isChecking) void this.#check(unchecked);
  }

  #look(nowMs: number): void {
    const lent = new Set(this.#pool.lentClients());
    for (const watched of this.#all) {
      const heardAtMs = watched.sockets.updateLastReadMs(nowMs);
      if (!lent.has(watched.client)) watched.silentSinceMs = null;
      else watched.silentSinceMs = watched.silentSinceMs === null ? nowMs : Math.max(watched.silentSinceMs, heardAtMs);
    }
  }

  async #check(unchecked: readonly Watched[]): Promise<void> {
    this.#isChecking = true;
    // Postgres may be away too: then it is asked again.
    await this.#withServer(async (server) => await this.#replaceLost(server, unchecked)).catch(() => undefined);
    this.#isChecking = false;
  }

  async #withServer(work: (server: postgres.Sql) => Promise<void>): Promise<void> {
    const { client, sockets } = this.#open();
    const timeout = setTimeout(() => sockets.destroy(), CHECK_TIMEOUT_MS);
    try {
      await work(client);
    } finally {
      clearTimeout(timeout);
      void client.end({ timeout: 0 });
    }
  }

  async #replaceLost(server: postgres.Sql, unchecked: readonly Watched[]): Promise<void> {
    const before = unchecked.map(({ silentSinceMs }) => silentSinceMs);
    const processes = await processesOf(
      server,
      unchecked.map(({ backend }) => backend!.pid),
    );
    if (!processes) return;
    // An answer may have been sent at the same moment.
    await wait(WATCH_INTERVAL_MS, undefined, { ref: false });
    const nowMs = performance.now();
    this.#look(nowMs);
    const silent = unchecked.filter(({ silentSinceMs }, index) => silentSinceMs === before[index]);
    for (const watched of silent) watched.checkedAtMs = nowMs;
    const lost = silent.filter((watched) => isLost(watched, processes));
    for (const watched of lost) this.#end(watched);
    // Others may have waited for their locks, and be lost as well.
    if (lost.length > 0) for (const watched of silent) watched.checkedAtMs = 0;
    await endProcesses(
      server,
      lost.map(({ backend }) => backend!.pid),
    );
  }

  /** With it all idle ones that have been silent for as long: they probably took the same way. */
  #end(lost: Watched): void {
    lost.sockets.destroy();
    const sameWay = [...ConnectionWatch.#watches].filter((watch) => watch.#url === this.#url);
    for (const watch of sameWay) watch.#endIdle(performance.now() - MAX_SILENCE_MS);
  }

  #endIdle(heardBeforeMs: number): void {
    for (const { sockets, silentSinceMs } of this.#all)
      if (silentSinceMs === null && sockets.heardAtMs < heardBeforeMs) sockets.destroy();
  }
}

function isLost({ backend, transaction }: WatchedClient, processes: ReadonlyMap<number, ServerProcess>): boolean {
  const process = processes.get(backend!.pid);
  if (!process) return true;
  if (process.state === 'active') return process.waitsFor === 'Client';
  if (process.state?.startsWith('idle in transaction')) return (transaction?.unanswered ?? 0) > 0;
  return process.state === 'idle';
}

/** Null where nothing can be said: a connection pooler in between gives the processes other numbers. */
async function processesOf(
  server: postgres.Sql,
  pids: readonly number[],
): Promise<ReadonlyMap<number, ServerProcess> | null> {
  const rows = await server.unsafe<ServerProcess[]>(PROCESSES, [pidList(pids)]);
  return rows.some(({ pid, isOwn }) => isOwn && pid === rows.state.pid)
    ? new Map(rows.map((row) => [row.pid, row]))
    : null;
}

async function endProcesses(server: postgres.Sql, pids: readonly number[]): Promise<void> {
  if (pids.length > 0) await server.unsafe(END_PROCESSES, [pidList(pids)]);
}

function pidList(pids: readonly number[]): string {
  return `{${pids.join(',')}}`;
}
