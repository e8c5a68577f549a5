import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Shop } from './workload.ts';

/** The requests to send, their URL and duration. */
export type LoadJob = {
  workload: string;
  side: 'own' | 'peer';
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** The number of the first request, so that later jobs send other requests. */
  first: number;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Mean size of a response's body. */
  bytes: number;
  /** Responses with another status than 200 or with errors, and one of them. */
  failed: number;
  failure: string | null;
  /** Number of responses by HTTP status. */
  statuses: Record<number, number>;
};

export type Load = { run(job: LoadJob): Promise<LoadResult>; stop(): Promise<void> };

/** Starts the load generator in a separate process. */
export async function startLoad(shop: Shop): Promise<Load> {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)));
  const ended = once(child, 'exit');
  const broken = ended.then(() => {
    throw new Error('The load generator ended.');
  });
  broken.catch(() => {});
  child.send(shop);
  return {
    run: async (job) => {
      const answered = once(child, 'message') as Promise<[LoadResult]>;
      child.send(job);
      const [result] = await Promise.race([answered, broken]);
      return result;
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
