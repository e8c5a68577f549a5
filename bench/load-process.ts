import { once } from 'node:events';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import autocannon, { type Client, type Request, type Result } from 'autocannon';
import type { LoadJob, LoadResult } from './load.ts';
import type { Shop } from './workload.ts';
import { otherWorkloads, workloads } from './workloads.ts';

const TIMEOUT_S = 60;
const MICROSECONDS_PER_MS = 1_000;

/** Runs as a child process. It receives the shop first, then one job after the other. */
let shop: Shop | undefined;
process.on('message', (message: Shop | LoadJob) => {
  if (!shop) shop = message as Shop;
  else void run(shop, message as LoadJob).then((result) => process.send!(result));
});

async function run(shop: Shop, job: LoadJob): Promise<LoadResult> {
  const durations = createHistogram();
  const failures: string[] = [];
  const statuses: Record<number, number> = {};
  let bodies = 0;
  let bytes = 0;
  const options = {
    url: job.url,
    headers: { 'content-type': 'application/json', ...job.headers },
    connections: job.connections,
    duration: job.seconds,
    timeout: TIMEOUT_S,
    ...requestsOf(shop, job),
    verifyBody: (body: unknown) => {
      const text = String(body);
      bodies += 1;
      bytes += Buffer.byteLength(text);
      return isGood(text) || (failures.push(text), false);
    },
  };
  const answers = autocannon({ ...options, method: 'POST' }, () => {});
  answers.on('response', (_client, status, _bytes, durationMs) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    record(durations, durationMs);
  });
  const [{ requests, duration, non2xx, errors, mismatches }] = (await once(answers, 'done')) as [Result];
  return {
    requests: requests.total - mismatches,
    seconds: duration,
    p50Ms: durations.percentile(50) / MICROSECONDS_PER_MS,
    p99Ms: durations.percentile(99) / MICROSECONDS_PER_MS,
    bytes: bodies === 0 ? 0 : Math.round(bytes / bodies),
    failed: Math.max(non2xx, mismatches) + errors,
    failure: failures[0] ?? null,
    statuses,
  };
}

function record(durations: RecordableHistogram, durationMs: number): void {
  durations.record(Math.max(1, Math.round(durationMs * MICROSECONDS_PER_MS)));
}

/** Cheaper than parsing: a failed response begins with errors, or has no data. */
function isGood(body: string): boolean {
  return body.startsWith('{"data":{') && !body.endsWith(']}');
}

/** Repeated requests are prepared in advance and sent in turn. Distinct requests are made when they are sent. */
function requestsOf(
  shop: Shop,
  { workload: name, side, first }: LoadJob,
): { body: string } | { setupClient: (client: Client) => void } {
  const workload = [...workloads, ...otherWorkloads].find((workload) => workload.name === name)!;
  const { request } = side === 'peer' ? workload.peer! : workload;
  const bodyAt = (n: number): string => JSON.stringify(request(shop, n));
  if (workload.distinct === 1) return { body: bodyAt(0) };
  const ready = Number.isFinite(workload.distinct)
    ? Array.from({ length: workload.distinct }, (_, n) => bodyAt(n))
    : null;
  let next = first;
  const setupRequest = (request: Request): Request => {
    const n = next++;
    return { ...request, body: ready ? ready[n % ready.length]! : bodyAt(n) };
  };
  return { setupClient: (client) => client.setRequests([{ setupRequest } as Request]) };
}
