import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** The interval of the second merchant's requests, and of those for /healthz. */
const ASKED_EVERY_MS = 125;
/** Requests of both kinds after the attack: some effects come late. A count, because timers are late on a busy machine. */
const ASKED_AFTER = 4;
/** Their interval. Each is followed to its end, so they need not last long: each attack waits for them. */
const ASKED_AFTER_EVERY_MS = 50;
/** Longer than any measured wait. */
const GIVEN_UP_AFTER_MS = 90_000;

export type ObserverData = { url: string; token: string };
export type Observation = { waitsMs: number[]; healthWaitsMs: number[]; failures: string[] };

const { url, token } = workerData as ObserverData;

for (;;) {
  await once(parentPort!, 'message');
  // A first request, which is not measured: it loads the client and opens its connection, which took up to 0.8 s on a
  // busy machine.
  await askBoth({ waitsMs: [], healthWaitsMs: [], failures: [] });
  const stopped = once(parentPort!, 'message');
  parentPort!.postMessage('ready');
  parentPort!.postMessage(await observe(stopped));
}

/** Sends a request at each tick without waiting for the previous one: otherwise a long wait would hide the next ones. */
async function observe(stopped: Promise<unknown>): Promise<Observation> {
  const observation: Observation = { waitsMs: [], healthWaitsMs: [], failures: [] };
  const asked: Promise<void>[] = [];
  let isStopping = false;
  void stopped.then(() => (isStopping = true));
  for (let askedAfter = 0; askedAfter < ASKED_AFTER;) {
    if (isStopping) askedAfter += 1;
    asked.push(askBoth(observation));
    await wait(isStopping ? ASKED_AFTER_EVERY_MS : ASKED_EVERY_MS);
  }
  await Promise.all(asked);
  return observation;
}

async function askBoth({ waitsMs, healthWaitsMs, failures }: Observation): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const query = { method: 'POST', headers, body: '{"query":"{ me { id } listProductTag { id } }"}' };
  const ask = async (waits: number[], address: string, init: RequestInit): Promise<void> => {
    const askedAtMs = performance.now();
    const failure = await failureOf(address, init);
    if (failure !== null) failures.push(failure);
    waits.push(performance.now() - askedAtMs);
  };
  await Promise.all([ask(waitsMs, `${url}/api/v1/admin/graphql`, query), ask(healthWaitsMs, `${url}/healthz`, {})]);
}

async function failureOf(address: string, init: RequestInit): Promise<string | null> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS) });
    const text = await response.text();
    return response.status !== 200 || text.includes('"errors"') ? `${response.status} ${text}` : null;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}
