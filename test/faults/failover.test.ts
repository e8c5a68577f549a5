import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { logLines } from '../support/process.ts';
import { FaultedService, NORMAL_WITHIN_MS } from './support/faulted-service.ts';

const REACHED = 'the database can be reached again';

let former: PostgresServer;
let primary: PostgresServer | undefined;
let connection: Connection;
let proxy: DatabaseProxy;
let service: FaultedService;
beforeAll(async () => {
  former = await PostgresServer.startMigrated();
  connection = connect(former.url, { poolSize: 1, statementTimeoutMs: 15_000 });
  proxy = await DatabaseProxy.open(former.servingUrl);
  service = await FaultedService.start(connection.db, proxy.url);
});
afterAll(async () => {
  await service?.stop();
  await connection.close();
  await proxy.close();
  await primary?.remove();
  await former.remove();
});

// docs/reliability-tests.md: 93
it(
  'connects to the new primary as soon as the name leads there, though the former one answers as a standby',
  { retry: 0 },
  async () => {
    primary = await former.failOver();
    // Connected to the former one again, with the connections of requests and of readiness.
    await expect.poll(lines).toEqual(expect.arrayContaining([REACHED, 'the database lacks resources']));
    proxy.switchTo(primary.url);
    await service.load.isServed(NORMAL_WITHIN_MS);
    await expect.poll(async () => (await fetch(`${service.process.url}/readyz`)).status).toBe(200);
    await expect.poll(() => listeners(primary!)).toEqual(['commerce-upkeep', 'commerce-webhooks']);
    expect(service.load.wrong).toEqual([]);
  },
);

/** The names of the connections whose last statement was LISTEN, or the ping on such a connection. */
async function listeners({ url }: PostgresServer): Promise<string[]> {
  const { db, close } = connect(url, { poolSize: 1, statementTimeoutMs: 15_000 });
  try {
    const rows = await db.execute<{ name: string }>(sql`
      select application_name as name from pg_stat_activity
      where query ~ '^(listen |select 1$)' and application_name <> 'commerce-readiness' order by 1`);
    return rows.map(({ name }) => name);
  } finally {
    await close();
  }
}

function lines(): unknown[] {
  return logLines(service.process.stdout()).map(({ msg }) => msg);
}
