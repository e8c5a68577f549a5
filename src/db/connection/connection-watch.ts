import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Pool } from './pool.ts';
import type { ClientSockets } from './client-sockets.ts';

const WATCH_INTERVAL_MS = 500;
/**
 * After this much silence Postgres is asked about the connection, and again at the same interval. Few statements take
 * longer.
 */
const MAX_SILENCE_MS = 3_000;
const CHECK_TIMEOUT_MS = 3_000;

/** A driver client with the state of its connection. */
export type WatchedClient = {
  readonly client: postgres.Sql;
  readonly sockets: ClientSockets;
  /** The backend process, updated by the driver. Null before the first answer. */
  backend: { readonly pid: number } | null;
  /** The transaction that is open on this connection. */
  transaction: OpenTransaction | null;
};

/** `unanswered`: statements sent without an answer so far. */
export type OpenTransaction = { unanswered: number };

/** `silentSinceMs` is null while no answer is expected. */
type Watched = WatchedClient & { silentSinceMs: number | null; checkedAtMs: number };

type Options = {
  url: string;
  /** Opens a separate client of the same server for one check. */
  open: () => Pick<WatchedClient, 'client' | 'sockets'>;
  /** How long a statement may take without an answer, and a request may wait for connections. */
  endedAfterMs: number;
};

/** Process ids, each with the time since which nothing has been heard from it. */
type SilentBackends = Map<number, number>;

type ServerProcess = { pid: number; isOwn: boolean; state: string | null; waitsFor: string | null };

/**
 * `waitsFor` is null for a coordinator of a cluster that waits for a worker: Citus reports that as ClientRead, the
 * event of a process that waits for its client.
 */
const PROCESSES = `
  select pid, pid = pg_backend_pid() as "isOwn", state,
    case when wait_event = 'ClientRead' and exists (select from pg_extension where extname = 'citus') then null
      else wait_event_type end as "waitsFor"
  from pg_stat_activity where pid = any($1::int[]) or pid = pg_backend_pid()`;
/**
 * Terminates backends whose connections were closed after they had been silent for these numbers of seconds. Such a backend
 * would hold its locks until `idle_in_transaction_session_timeout`. Between Parse and Bind no time limit of Postgres applies:
 * there it would hold them until TCP detects that the client is gone. After a failover, the new server may have another
 * backend with the same process id, which began later. It is left alone.
 */
const END_PROCESSES = `
  select pg_terminate_backend(pid) from pg_stat_activity
  join unnest($1::int[], $2::float8[]) as silent (process, seconds) on process = pid
  where usename = current_user and (state <> 'active' or wait_event_type = 'Client')
    and backend_start < clock_timestamp() - make_interval(secs => seconds)`;

/**
 * Detects connections that died without a FIN or RST. From the client they look like slow statements, so a separate
 * connection asks pg_stat_activity what their backends are doing. A backend that is gone or waits for the client
 * means that a statement or its answer was lost: the connection is closed. If Postgres cannot tell, a silent
 * connection is closed after `endedAfterMs`. That is also the time from the admission of a request within which its
 * statements get a connection, and, while Postgres cannot be reached, their answer. Work in a transaction that has
 * begun has a time limit of its own.
 */
export class ConnectionWatch {
  /** All watches of this process. */
  static readonly #watches = new Set<ConnectionWatch>();
  readonly #pool: Pool;
  readonly #all: readonly Watched[];
  readonly #url: string;
  readonly #open: Options['open'];
  readonly #endedAfterMs: number;
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;
  /** Whether the last check failed. */
  #isUnreachable = false;
  /** The backends of connections that were closed while Postgres could not be reached. */
  readonly #abandoned: SilentBackends = new Map();
  #checkedAtMs = -Infinity;

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
    const lent = this.#look(nowMs);
    this.#pool.refuseWaiting(nowMs - this.#endedAfterMs);
    const silent = this.#all.filter(({ silentSinceMs }) => silentSinceMs !== null);
    if (silent.length === 0) this.#isUnreachable = false;
    for (const watched of silent) if (this.#isOverdue(watched, lent, nowMs)) this.#abandon(watched);
    const unchecked = silent.filter(
      ({ backend, silentSinceMs, checkedAtMs }) =>
        backend && nowMs - Math.max(silentSinceMs!, checkedAtMs) > MAX_SILENCE_MS,
    );
    const isDue = this.#abandoned.size > 0 && nowMs - this.#checkedAtMs > MAX_SILENCE_MS;
    if ((unchecked.length > 0 || isDue) && !this.#isChecking) void this.#check(unchecked, nowMs);
  }

  /** Whether the statement has had its time, or, while Postgres cannot be reached, its request. */
  #isOverdue({ client, silentSinceMs }: Watched, lent: ReadonlyMap<postgres.Sql, number>, nowMs: number): boolean {
    const sinceMs = this.#isUnreachable ? Math.min(silentSinceMs!, lent.get(client)!) : silentSinceMs!;
    return nowMs - sinceMs > this.#endedAfterMs;
  }

  #look(nowMs: number): ReadonlyMap<postgres.Sql, number> {
    const lent = this.#pool.lentClients();
    for (const watched of this.#all) {
      const heardAtMs = watched.sockets.updateLastReadMs(nowMs);
      if (!lent.has(watched.client) || waitsForClient(watched)) watched.silentSinceMs = null;
      else watched.silentSinceMs = watched.silentSinceMs === null ? nowMs : Math.max(watched.silentSinceMs, heardAtMs);
    }
    return lent;
  }

  async #check(unchecked: readonly Watched[], nowMs: number): Promise<void> {
    this.#isChecking = true;
    this.#checkedAtMs = nowMs;
    // A failure is ignored: if the server cannot be reached now, the next interval tries again.
    const check = this.#withServer(async (server) => await this.#replaceLost(server, unchecked));
    this.#isUnreachable = await check.then(
      () => false,
      () => true,
    );
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
    if (!processes) return this.#abandoned.clear();
    const abandoned = new Map(this.#abandoned);
    await endProcesses(server, abandoned);
    // Others may have been abandoned meanwhile.
    for (const [pid, sinceMs] of abandoned) if (this.#abandoned.get(pid) === sinceMs) this.#abandoned.delete(pid);
    // An answer may have been in flight; look again after one interval.
    await wait(WATCH_INTERVAL_MS, undefined, { ref: false });
    const nowMs = performance.now();
    this.#look(nowMs);
    const silent = unchecked.filter(({ silentSinceMs }, index) => silentSinceMs === before[index]);
    for (const watched of silent) watched.checkedAtMs = nowMs;
    const lost = silent.filter((watched) => isLost(watched, processes));
    for (const watched of lost) this.#end(watched);
    // Other silent connections may have waited for locks of the lost ones. They are checked again in the next round.
    if (lost.length > 0) for (const watched of silent) watched.checkedAtMs = 0;
    await endProcesses(server, new Map(lost.map(({ backend, silentSinceMs }) => [backend!.pid, silentSinceMs!])));
  }

  #abandon(watched: Watched): void {
    if (watched.backend) this.#abandoned.set(watched.backend.pid, watched.silentSinceMs!);
    this.#end(watched);
  }

  /**
   * Also closes idle connections to the same server that have been silent as long: they probably share the broken
   * network path.
   */
  #end(lost: Watched): void {
    lost.sockets.destroy();
    const sameWay = [...ConnectionWatch.#watches].filter((watch) => watch.#url === this.#url);
    for (const watch of sameWay) watch.#endIdle(performance.now() - MAX_SILENCE_MS);
  }

  #endIdle(heardBeforeMs: number): void {
    const lent = this.#pool.lentClients();
    for (const { client, sockets } of this.#all)
      if (!lent.has(client) && sockets.heardAtMs < heardBeforeMs) sockets.destroy();
  }
}

/** Whether all statements of the open transaction are answered. It may be idle for any time, as while output is written. */
function waitsForClient({ transaction }: WatchedClient): boolean {
  return transaction?.unanswered === 0;
}

function isLost({ backend, transaction }: WatchedClient, processes: ReadonlyMap<number, ServerProcess>): boolean {
  const process = processes.get(backend!.pid);
  if (!process) return true;
  if (process.state === 'active') return process.waitsFor === 'Client';
  if (process.state?.startsWith('idle in transaction')) return (transaction?.unanswered ?? 0) > 0;
  return process.state === 'idle';
}

/** The server processes with these ids; null if the ids do not match, as behind a connection pooler. */
async function processesOf(
  server: postgres.Sql,
  pids: readonly number[],
): Promise<ReadonlyMap<number, ServerProcess> | null> {
  const rows = await server.unsafe<ServerProcess[]>(PROCESSES, [pidList(pids)]);
  return rows.some(({ pid, isOwn }) => isOwn && pid === rows.state.pid)
    ? new Map(rows.map((row) => [row.pid, row]))
    : null;
}

async function endProcesses(server: postgres.Sql, backends: SilentBackends): Promise<void> {
  if (backends.size === 0) return;
  const nowMs = performance.now();
  const seconds = [...backends.values()].map((sinceMs) => (nowMs - sinceMs) / 1_000);
  await server.unsafe(END_PROCESSES, [pidList([...backends.keys()]), `{${seconds.join(',')}}`]);
}

function pidList(pids: readonly number[]): string {
  return `{${pids.join(',')}}`;
}
