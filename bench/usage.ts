import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { connectOnce } from '../src/db/connection/connect.ts';

/** The unit in which Linux reports CPU time to programs, independent of its clock rate. */
const TICK_MS = 10;
const NANOSECONDS_PER_MS = 1e6;
const KIB_PER_MIB = 1_024;
const QUIET_POLLS = 3;
const QUIET_POLL_MS = 50;

/** CPU time of a process in milliseconds, without its children. */
export async function cpuMs(pid: number): Promise<number> {
  const { user, system } = await stat(pid);
  return (user + system) * TICK_MS;
}

/** CPU time of a process in milliseconds, without its children, as exactly as Linux knows it. */
export async function exactCpuMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / NANOSECONDS_PER_MS;
}

export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
}

/** CPU time of the server and all its processes, also ended ones; null if they run on another machine. */
export async function openPostgresUsage(url: string): Promise<() => Promise<number | null>> {
  const client = connectOnce(url);
  const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const server = await stat(row!.pid).then(
    (process) => (process.name === 'postgres' ? process.parent : null),
    () => null,
  );
  await client.end();
  if (server === null) return () => Promise.resolve(null);
  return async () => {
    const { user, system, endedChildren } = await stat(server);
    const children = (await processes()).filter(({ parent }) => parent === server);
    return (
      (user + system + endedChildren + children.reduce((sum, child) => sum + child.user + child.system, 0)) * TICK_MS
    );
  };
}

/** Waits until the work of a stopped load has ended, which would otherwise slow down the next one. */
export async function waitUntilIdle(url: string): Promise<void> {
  const client = connectOnce(url);
  for (let quiet = 0; quiet < QUIET_POLLS; await wait(QUIET_POLL_MS)) {
    const busy = await client`
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`;
    quiet = busy.length === 0 ? quiet + 1 : 0;
  }
  await client.end();
}

type Process = { name: string; parent: number; user: number; system: number; endedChildren: number };

async function processes(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => stat(Number(pid)).catch(() => null)));
  return found.filter((process) => process !== null);
}

async function stat(pid: number): Promise<Process> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [name, rest] = [
    text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    text.slice(text.lastIndexOf(')') + 2).split(' '),
  ];
  const at = (field: number): number => Number(rest[field - 3]);
  return { name, parent: at(4), user: at(14), system: at(15), endedChildren: at(16) + at(17) };
}
