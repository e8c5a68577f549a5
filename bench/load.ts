import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Shop } from './workload.ts';

/** Which requests to send where, for how long. */
export type LoadJob = {
  workload: string;
  side: 'own' | 'peer';
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** The number of the first request, so that later jobs make other requests. */
  first: number;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers with another status than 200, or with errors; one of them. */
  failed: number;
  failure: string | null;
  /** How many answers had which HTTP status. */
  statuses: Record<number, number>;
};

export type Load = { run(job: LoadJob): Promise<LoadResult>; stop(): Promise<void> };

/** The load generator, in a process of its own. */
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
