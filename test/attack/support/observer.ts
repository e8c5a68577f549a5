import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** The interval of the second merchant's requests, and of those for /healthz. */
const ASKED_EVERY_MS = 125;
/** Requests of both kinds after the attack: some effects come late. A count, because timers are late on a busy machine. */
const ASKED_AFTER = 4;
/** Longer than any measured wait. */
const GIVEN_UP_AFTER_MS = 90_000;

export type ObserverData = { url: string; token: string };
export type Observation = { waitsMs: number[]; healthWaitsMs: number[]; failures: string[] };

const { url, token } = workerData as ObserverData;
const observation: Observation = { waitsMs: [], healthWaitsMs: [], failures: [] };
const open = new Set<Promise<void>>();
let isStopping = false;

parentPort!.once('message', () => (isStopping = true));
// A first request, which is not measured: it loads the client and opens its connection, which took up to 0.8 s on a
// busy machine.
await askBoth([], []);
parentPort!.postMessage('ready');

// Sends a request at each tick without waiting for the previous one: otherwise a long wait would hide the next ones.
let askedAfter = 0;
while (askedAfter < ASKED_AFTER) {
  if (isStopping) askedAfter += 1;
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
