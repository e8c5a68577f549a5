import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** How often the second merchant asks, and how often somebody looks at /healthz. */
const ASKED_EVERY_MS = 125;
/** Longer than any wait that was ever measured. */
const GIVEN_UP_AFTER_MS = 90_000;

export type ObserverData = { url: string; token: string };
export type Observation = { waitsMs: number[]; healthWaitsMs: number[]; failures: string[] };

const { url, token } = workerData as ObserverData;
const observation: Observation = { waitsMs: [], healthWaitsMs: [], failures: [] };
const open = new Set<Promise<void>>();
let isStopping = false;

parentPort!.once('message', () => (isStopping = true));
// The first request loads the client and opens its connection, which took up to 0.8 s on a busy machine without any
// attack.
await askBoth([], []);
parentPort!.postMessage('ready');

// A request is sent at each tick, whether or not the one before was answered: a long wait hides none that follows.
while (!isStopping) {
  follow(askBoth(observation.waitsMs, observation.healthWaitsMs));
  await wait(ASKED_EVERY_MS);
}
await Promise.all(open);
parentPort!.postMessage(observation);

function follow(work: Promise<void>): void {
  const done: Promise<void> = work.finally(() => open.delete(done));
  open.add(done);
}

async function askBoth(waitsMs: number[], healthWaitsMs: number[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const query = { method: 'POST', headers, body: '{"query":"{ me { id } listProductTag { id } }"}' };
  await Promise.all([ask(waitsMs, `${url}/api/v1/admin/graphql`, query), ask(healthWaitsMs, `${url}/healthz`, {})]);
}

async function ask(waitsMs: number[], address: string, init: RequestInit): Promise<void> {
  const askedAtMs = performance.now();
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS) });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors"')) observation.failures.push(`${response.status} ${text}`);
  } catch (error) {
    observation.failures.push(String((error as Error).cause ?? error));
  }
  waitsMs.push(performance.now() - askedAtMs);
}
