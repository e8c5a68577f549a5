import { sql } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { connectedProcesses } from '../src/cli/database/connected-processes.ts';
import { roleOf } from '../src/db/schema/roles.ts';
import { skipOnCluster } from './support/cluster.ts';
import type { TestDatabase } from './support/database.ts';
import { post } from './support/post.ts';
import { waitForLocks } from './support/wait-for-locks.ts';
import { startTestService, type TestService } from './support/whole-service.ts';

const statusOf = async (url: string, path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status;

it('serves only health and metrics as a worker', async () => {
  const worker = await startTestService({}, 'worker');
  try {
    await expect.poll(() => statusOf(worker.url, '/readyz')).toBe(200);
    expect(await statusOf(worker.url, '/healthz')).toBe(200);
    const metrics = await fetch(`${worker.url}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('\nwebhook_deliveries_waiting 0\n'),
    ]);
    expect(await statusOf(worker.url, '/api/v1/admin/graphql', 'POST')).toBe(404);
    expect(await statusOf(worker.url, '/api/admin/oauth/token', 'POST')).toBe(404);
  } finally {
    await worker.stop();
  }
});

it('is counted as a worker without requests after its readiness connection was lost', async () => {
  const worker = await startTestService({}, 'worker');
  try {
    await expect.poll(() => connectedProcesses(worker.owner)).toEqual({ processes: 1, workers: 1 });
    await worker.owner.execute(sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = 'commerce-readiness'`);
    expect((await connectedProcesses(worker.owner)).processes).toBe(1);
  } finally {
    await worker.stop();
  }
});

it('warns in its log of indexes that were built with another version of ICU', async (test) => {
  skipOnCluster(test, 'all files share the database');
  const [current, outdated] = [await startTestService({}, 'api'), await startTestService({}, 'api', { beforeStart })];
  await Promise.all([current.stop(), outdated.stop()]);
  const warnings = ({ lines }: TestService) => lines.filter((line) => line.includes('collation'));
  expect(warnings(current)).toEqual([]);
  expect(warnings(outdated)).toEqual([expect.stringContaining('"und-x-icu"')]);

  async function beforeStart({ owner }: TestDatabase): Promise<void> {
    await owner.execute(`update pg_collation set collversion = '1.0' where collname = 'und-x-icu'`);
  }
});

it('takes requests for the delay of a drain, while it reports that it is not ready', async () => {
  const api = await startTestService({ drainDelayMs: 2_000 }, 'api');
  const stopped = api.stop();
  expect(await statusOf(api.url, '/readyz')).toBe(503);
  expect(await statusOf(api.url, '/api/v1/admin/schema.graphql')).toBe(200);
  await stopped;
});

it('is not ready if the queue cannot be used', async (test) => {
  skipOnCluster(test, 'all files share the queue');
  const api = await startTestService({}, 'api');
  try {
    await expect.poll(() => statusOf(api.url, '/readyz')).toBe(200);
    await api.owner.execute("delete from pgboss.queue where name = 'webhook-delivery'");
    expect(await statusOf(api.url, '/readyz')).toBe(503);
  } finally {
    await api.stop();
  }
});

it('has generic plans, and custom ones on a cluster', async () => {
  const api = await startTestService({}, 'api');
  try {
    expect(await api.db.execute('show plan_cache_mode')).toEqual([
      { plan_cache_mode: inject('isCluster') ? 'force_custom_plan' : 'force_generic_plan' },
    ]);
  } finally {
    await api.stop();
  }
});

it('reads rows of several merchants with the role for them', async () => {
  const worker = await startTestService({}, 'worker');
  try {
    const roles = async () =>
      await worker.owner.execute(sql`
      select distinct usename::text as role from pg_stat_activity
      where datname = current_database() and application_name = 'commerce-across-merchants'`);
    await expect.poll(roles).toEqual([{ role: roleOf(inject('acrossUrl')).name }]);
  } finally {
    await worker.stop();
  }
});

it('serves clients as an api, and delivers no webhooks', async () => {
  const api = await startTestService({}, 'api');
  try {
    const { token } = await api.createApp();
    const response = await fetch(api.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"query":"{ me { name } }"}',
    });
    expect(await response.json()).toEqual({ data: { me: { name: 'Test' } } });
  } finally {
    await api.stop();
  }
});

it('ends its periodic tasks while an open request is still answered', async () => {
  const service = await startTestService();
  const { token } = await service.createApp();
  const upkeep = async () =>
    await service.owner.execute(sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'commerce-upkeep'`);
  expect(await upkeep()).not.toEqual([]);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const gate = service.owner.transaction(async (transaction) => {
    await transaction.execute(sql`lock table product_tag`);
    close();
    await opened;
  });
  await closed;
  const query = 'mutation { saveProductTag(input: {name: "New"}) { name } }';
  const answer = post(service.graphqlUrl, { query }, { token });
  await waitForLocks(service.owner, 1);
  const stopped = service.stop();
  try {
    await expect.poll(async () => (await upkeep()).length, { timeout: 5_000 }).toBe(0);
  } finally {
    open();
    await Promise.all([gate, stopped]);
  }
  expect((await answer).body.data).toEqual({ saveProductTag: { name: 'New' } });
});
