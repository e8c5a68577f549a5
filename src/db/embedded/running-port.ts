import { execFile } from 'node:child_process';
import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectOnce } from '../connection/connect.ts';
import type { Programs } from './initialise.ts';
import type { PostgresUser } from './postgres-user.ts';

export const START_TIMEOUT_S = 60;
const POLL_MS = 100;

const run = promisify(execFile);

/** The port of a server that already runs on this folder. Waits while it is starting or stopping. */
export async function runningPort(
  programs: Programs,
  user: PostgresUser,
  directory: string,
  urlOf: (port: number) => string,
): Promise<number | null> {
  for (const end = performance.now() + START_TIMEOUT_S * 1_000; ; await wait(POLL_MS)) {
    const port = await recordedPort(programs, user, directory);
    if (port === null || (await answers(urlOf(port)))) return port;
    if (performance.now() > end)
      throw new Error(`The embedded PostgreSQL in ${directory} runs but takes no connections: see server.log there.`);
  }
}

async function recordedPort(programs: Programs, user: PostgresUser, directory: string): Promise<number | null> {
  const pidFile = join(directory, 'postmaster.pid');
  const lines = await readFile(pidFile, 'utf8').then(
    (text) => text.split('\n'),
    () => null,
  );
  if (!lines) return null;
  // After a crash the pid may belong to another process, which pg_ctl would take for the server.
  if (!(await isServerOf(Number(lines[0]), directory))) await rm(pidFile, { force: true });
  return (await isRunning(programs, user, directory)) ? Number(lines[3]) : null;
}

export async function isRunning(programs: Programs, user: PostgresUser, directory: string): Promise<boolean> {
  return await user.run(programs.pg_ctl, ['status', '-D', directory]).then(
    () => true,
    () => false,
  );
}

/**
 * Whether the process is the server of this folder, which is given without symbolic links. A server works in its folder,
 * and has its path in its command line. If the process cannot be inspected, the pid file is trusted.
 */
async function isServerOf(pid: number, directory: string): Promise<boolean> {
  const workingFolder = readlink(`/proc/${pid}/cwd`);
  const fromPs = async (): Promise<string> => (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  const known = await workingFolder.catch(fromPs).catch(() => directory);
  return known.includes(directory);
}

async function answers(url: string): Promise<boolean> {
  const client = connectOnce(url);
  try {
    await client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
