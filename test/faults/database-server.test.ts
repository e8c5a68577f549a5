import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection, connectOnce } from '../../src/db/connection/connect.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { FaultedService, NORMAL, NOTHING_LOST } from './support/faulted-service.ts';

/** The service uses about 20: two pools, worker, queue, periodic tasks and listeners. */
const MAX_CONNECTIONS = 40;

let server: PostgresServer;
let connection: Connection;
let service: FaultedService;
beforeAll(async () => {
  server = await PostgresServer.startMigrated({ max_connections: String(MAX_CONNECTIONS) });
  connection = connect(server.url, { poolSize: 2, statementTimeoutMs: 15_000 });
  service = await FaultedService.start(connection.db, server.servingUrl);
});
afterAll(async () => {
  await service?.stop();
  await connection.close();
  await server.remove();
});

describe('when PostgreSQL', () => {
  // docs/reliability-tests.md: 93
  it('is killed and comes back, requests are refused as unavailable meanwhile', async () => {
    await server.kill();
    await service.isRefusing();
    await server.start();
    expect(await service.recovery('killed')).toEqual(NORMAL);
  });

  // docs/reliability-tests.md: 93
  it('is stopped and started, requests are refused as unavailable meanwhile', async () => {
    await server.shutDown();
    await service.isRefusing();
    await server.start();
    expect(await service.recovery('restarted')).toEqual(NORMAL);
  });

  // docs/reliability-tests.md: 93
  it('has no connection left, requests are refused as unavailable or served on those that the service has', async () => {
    const taken = await takeAllConnections();
    await service.isRefusing();
    await Promise.all(taken.map(async (one) => await one.end({ timeout: 0 })));
    expect(await service.recovery('out of connections')).toEqual(NORMAL);
  });
});

it('loses no confirmed change, and pushes all of them', async () => {
  expect(await service.balance()).toEqual(NOTHING_LOST);
});

/**
 * Closes the service's connections and opens as many others as the server allows, also those reserved for superusers.
 */
async function takeAllConnections(): Promise<ReturnType<typeof connectOnce>[]> {
  const taken: ReturnType<typeof connectOnce>[] = [];
  const takeOne = async (): Promise<boolean> => {
    const one = connectOnce(server.url);
    taken.push(one);
    return await one`select 1`.then(
      () => false,
      ({ code }: { code?: string }) => code === '53300',
    );
  };
  await takeOne();
  await until(
    async () => {
      await taken[0]!`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'commerce-%' and pid <> pg_backend_pid()`;
      return (await Promise.all(Array.from({ length: MAX_CONNECTIONS }, takeOne))).every(Boolean);
    },
    (isFull) => isFull,
  );
  expect(taken.length).toBeGreaterThan(MAX_CONNECTIONS);
  return taken;
}
