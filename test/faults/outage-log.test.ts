import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresServer } from '../support/postgres-server.ts';
import { logLines, type RunningService, startMain } from '../support/process.ts';

/** Longer than the pauses between statements of the worker, at most 5 s, so that it notices the outage too. */
const AWAY_MS = 6_000;
const PROBE_INTERVAL_MS = 500;

type Line = { level: string; msg: string; awayMs?: number; code?: string };

let server: PostgresServer;
let service: RunningService;
/** Lines logged before the test, including an earlier attempt of the test. */
let linesBefore = 0;
beforeAll(async () => {
  server = await PostgresServer.startMigrated();
  service = await startMain({ DATABASE_URL: server.servingUrl, SECRET_KEY: '0'.repeat(64) });
});
afterAll(async () => {
  await service?.stop();
  await server.remove();
});

it('logs one line when the database goes away and one when it is back, without a stack', async () => {
  linesBefore = logLines(service.stdout()).length;
  const probing = new AbortController();
  const probes = probe(probing.signal);
  await server.kill();
  await wait(AWAY_MS);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  await server.start();
  await expect.poll(() => texts('info'), { timeout: 20_000 }).toContain('the database can be reached again');
  probing.abort();
  await probes;
  expect(texts('warn', 'error', 'fatal')).toEqual(['the database cannot be reached']);
  const [away, back] = lines().filter(({ msg }) => msg.startsWith('the database'));
  expect(away).toMatchObject({ level: 'error', code: expect.any(String), reason: expect.any(String) });
  expect(back!.awayMs).toBeGreaterThan(1_000);
  expect(lines().filter((line) => JSON.stringify(line).includes('    at '))).toEqual([]);
});

/** Sends requests that need the database and others that do not, until it is aborted. */
async function probe(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all([
      fetch(`${service.url}/readyz`),
      fetch(`${service.url}/api/v1/admin/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${'x'.repeat(22)}.${'y'.repeat(43)}`, 'content-type': 'application/json' },
        body: '{"query":"{ me { id } }"}',
      }),
    ]);
    await wait(PROBE_INTERVAL_MS);
  }
}

function lines(): Line[] {
  return logLines(service.stdout()).slice(linesBefore) as Line[];
}

function texts(...levels: string[]): string[] {
  return lines()
    .filter(({ level }) => levels.includes(level))
    .map(({ msg }) => msg);
}
