import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection, connectOnce } from '../../src/db/connection/connect.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { FaultedService, NORMAL, NOTHING_LOST } from './support/faulted-service.ts';

/** Six segments of WAL. */
const DISK_KIB = 96 * 1024;
/** Enough for several attempts of the worker, which come after 200 and 400 ms. */
const LASTS_MS = 2_500;

/** Null if this process may not mount a file system. */
const disk = mountSmallDisk(DISK_KIB);
if (!disk) console.log('not tested: a full disk of WAL, because this process may not mount a small one');

let server: PostgresServer;
let connection: Connection;
let service: FaultedService;

describe.skipIf(!disk)('while the disk of the WAL is full, so that PostgreSQL stops', () => {
  beforeAll(async () => {
    server = await PostgresServer.startMigrated({ max_wal_size: '32MB' });
    await server.moveWal(disk!.path);
    connection = connect(server.url, { poolSize: 2, statementTimeoutMs: 15_000 });
    service = await FaultedService.start(connection.db, server.servingUrl);
  });
  afterAll(async () => {
    await service?.stop();
    await connection?.close();
    await server?.remove();
    disk!.remove();
  });

  // docs/reliability-tests.md: 93
  it('requests are refused as unavailable, and no confirmed change is lost', async () => {
    await fillWal(disk!);
    await service.isRefusing();
    await wait(LASTS_MS);
    await disk!.free();
    await server.start();
    expect(await service.recovery('WAL full')).toEqual(NORMAL);
    expect(await service.balance()).toEqual(NOTHING_LOST);
  });
});

/** Fills the disk and makes PostgreSQL ask for new segments until it ends with an error of class PANIC. */
async function fillWal(small: SmallDisk): Promise<void> {
  await small.fill();
  const client = connectOnce(server.url);
  try {
    for (;;) await client`select pg_switch_wal(), pg_logical_emit_message(true, 'full', 'disk')`;
  } catch {
    return;
  } finally {
    await client.end({ timeout: 0 });
  }
}
