import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDataFolder } from './data-folder.ts';

const START_TIMEOUT_MS = 45_000;
const POLL_MS = 20;
const CLOCK_TICKS_PER_S = 100;
/** Has the folder of the bundled programs. */
export const BUNDLE_VARIABLE = 'TEST_PROGRAM_BUNDLE';
/** For processes of the tests: compiled code of modules, also of those in TypeScript. */
export const COMPILE_CACHE = join(tmpdir(), 'commerce-compile-cache');

export type Finished = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type RunningProcess = {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the process has ended and all its output is read. */
  finished: Promise<Finished>;
};

/**
 * Runs a TypeScript program of this repository with Node, from the bundle if the run of tests has one. `--import` as
 * `file` and another `cwd` run the source. The environment of the program has only `env` and what programs need.
 */
export function run(file: string, args: string[], env: Record<string, string>, cwd?: string): RunningProcess {
  const child = spawn(process.execPath, [cwd === undefined ? programFile(file) : file, ...args], {
    cwd: cwd ?? process.cwd(),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, finished };
}

/**
 * The file of a program in the bundle, or its source. `global-setup.ts` sets the variable. Benchmarks do not, so they
 * measure the source.
 */
export function programFile(file: string): string {
  const folder = process.env[BUNDLE_VARIABLE];
  const path = folder && join(folder, file.replace(/\.ts$/, '.js'));
  return path && existsSync(path) ? path : file;
}

export type RunningService = RunningProcess & { url: string; stop(signal?: NodeJS.Signals): Promise<Finished> };

/** Starts the service on a free port, and resolves when it prints that it is ready. */
export async function startMain(
  env: Record<string, string>,
  cwd?: string,
  args: string[] = [],
): Promise<RunningService> {
  const running = run('src/main.ts', args, { PORT: '0', ...env }, cwd);
  const url = await readyUrl(running).catch((error: unknown) => {
    running.child.kill('SIGKILL');
    throw error;
  });
  return {
    ...running,
    url,
    stop: async (signal = 'SIGTERM') => {
      running.child.kill(signal);
      return await running.finished;
    },
  };
}

/** The URL of the service, as soon as it prints it. Does not use Vitest, because benchmarks call it too. */
async function readyUrl(running: RunningProcess): Promise<string> {
  let ended: Finished | null = null;
  void running.finished.then((finished) => (ended = finished));
  const endsAtMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ready = logLines(running.stdout()).find(({ msg }) => msg === 'ready');
    if (ready) return String(ready.url);
    if (ended) throw new Error(`It did not start: ${JSON.stringify(ended)}`);
    if (Date.now() > endsAtMs) throw new Error(`It is not ready yet:\n${running.stdout()}${running.stderr()}`);
    await wait(POLL_MS);
  }
}

export function logLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export type DataDir = { path: string; remove(): Promise<void> };

/** A data folder for a service that is started as a process. */
export async function createDataDir(): Promise<DataDir> {
  const path = await makeDataFolder('commerce-data-');
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The id of the embedded database's process; null if none runs. */
export async function databaseProcess(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null);
  const pid = text === null ? null : Number(text.split('\n')[0]);
  return pid !== null && isAlive(pid) ? pid : null;
}

/** A zombie process is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return !status.includes(') Z ');
}

/** Resident memory of the process in MiB. */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1024);
}

/** CPU time that the process has used. */
export function cpuMs(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / CLOCK_TICKS_PER_S;
}
