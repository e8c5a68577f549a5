import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { FaultedService, NORMAL, NOTHING_LOST } from './support/faulted-service.ts';

const SILENT_MS = 2_000;
const STALL_MS = 1_500;
const DELAY_MS = 20;
/**
 * A request on a silent connection is given up 5 s after this time. Two thirds of it, for which a transaction may be
 * idle, are longer than the network stalls.
 */
const STATEMENT_TIMEOUT_MS = 4_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: FaultedService;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.open(database.url);
  service = await FaultedService.start(database.db, proxy.url, {
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
  });
});
afterAll(async () => {
  proxy.heal();
  await service?.stop();
  await proxy.close();
  await database.drop();
});

describe('when the network between the service and PostgreSQL', () => {
  // docs/reliability-tests.md: 94
  it('goes silent without closing anything, requests end as unavailable, and lost connections are replaced', async () => {
    const before = service.load.counts.unavailable;
    proxy.silence();
    await wait(SILENT_MS);
    proxy.heal();
    expect(await service.recovery('silent')).toEqual(NORMAL);
    expect(service.load.counts.unavailable).toBeGreaterThan(before);
  });

  it('stays silent, requests end as unavailable meanwhile', async () => {
    proxy.silence();
    await service.isRefusing();
    proxy.heal();
    expect(await service.recovery('silent for long')).toEqual(NORMAL);
  });

  // docs/reliability-tests.md: 100
  it('cuts all connections ten times, requests are refused as unavailable or served, and all are served again', async () => {
    for (let times = 0; times < 10; times++) {
      proxy.cut();
      await wait(100);
    }
    expect(await service.recovery('cut')).toEqual(NORMAL);
  });

  it('delays every byte, requests are served later', async () => {
    const before = service.load.counts.unavailable;
    proxy.delay(DELAY_MS);
    await service.load.isServed(30_000);
    expect(service.load.counts.unavailable).toBe(before);
    proxy.heal();
    expect(await service.recovery('delayed')).toEqual(NORMAL);
  });

  it('stalls and continues, requests are served later', async () => {
    const before = service.load.counts.unavailable;
    proxy.stall();
    await wait(STALL_MS);
    proxy.heal();
    expect(await service.recovery('stalled')).toEqual(NORMAL);
    expect(service.load.counts.unavailable).toBe(before);
  });

  it('refuses connections, requests are refused as unavailable at once, and /readyz says why', async () => {
    proxy.refuse();
    await service.isRefusing();
    const readiness = await fetch(`${service.process.url}/readyz`);
    expect(await readiness.json()).toMatchObject({ status: 'not ready', checks: { database: 'failed' } });
    expect((await fetch(`${service.process.url}/healthz`)).status).toBe(200);
    proxy.heal();
    expect(await service.recovery('refused')).toEqual(NORMAL);
  });
});

it('loses no confirmed change, and pushes all of them', async () => {
  expect(await service.balance()).toEqual(NOTHING_LOST);
});
