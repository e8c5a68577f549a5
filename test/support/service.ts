import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type ServiceProcess = {
  url: string;
  graphqlUrl: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  ended: Promise<unknown>;
};

/** The service as `npm start` runs it, in a process of its own, on the database of the address. */
export async function startServiceProcess(databaseUrl: string, environment: Record<string, string> = {}): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { DATABASE_URL: databaseUrl, SECRET_KEY: '0'.repeat(64), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await readyUrl(child);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, graphqlUrl: `${url}/api/v1/admin/graphql`, kill, ended };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg !== 'ready') continue;
    child.stdout!.resume();
    return url!;
  }
  throw new Error('The service ended before it was ready.');
}
