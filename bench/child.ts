import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const MAX_PRINTED_CHARACTERS = 4_000;

export type Child = { pid: number; url: string; startMs: number; stop(): Promise<void> };

/**
 * Starts a server with a shell command on a free port. Resolves when the server responds; if it does not, prints its
 * output.
 */
export async function startChild(
  command: string,
  environment: NodeJS.ProcessEnv,
  isReady: (url: string) => Promise<boolean>,
  directory: string = ROOT,
): Promise<Child> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: directory,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NODE_ENV: 'production',
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let printed = '';
  child.stderr.on(
    'data',
    (chunk: Buffer) => void (printed = `${printed}${chunk.toString()}`.slice(-MAX_PRINTED_CHARACTERS)),
  );
  while (!(await isReady(url).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${command} ended before it was ready:\n${printed}`);
    if (performance.now() - start > START_TIMEOUT_MS)
      throw new Error(`${command} is not ready after ${START_TIMEOUT_MS} ms.`);
    await wait(POLL_MS);
  }
  const startMs = performance.now() - start;
  return {
    pid: child.pid!,
    url,
    startMs,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
