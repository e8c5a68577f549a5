import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { startTestService } from '../../support/whole-service.ts';
import { eventsOf, register } from '../../webhook/ledger.ts';
import { openReceiver, until } from './receiver.ts';

/** The worker polls each second for ten seconds after a delivery, and after it has read that one was announced. */
const UNTIL_IDLE_MS = 21_000;
/** Two polls. */
const OBSERVED_MS = 10_000;
/** One a second: docs/reliability.md promises 60 a minute. */
const MAX_STATEMENTS = 10;

it('sends few statements while there is nothing to do', async () => {
  const receiver = await openReceiver();
  const service = await startTestService({}, 'all', {
    webhook: { allowHttp: true, allowPrivate: true },
    beforeStart: async ({ owner }) => await logStatements(owner),
  });
  try {
    await service.createApp();
    const [app] = await service.db.execute<{ merchantId: string; authorizedAppId: string }>(
      sql`select merchant_id as "merchantId", id as "authorizedAppId" from authorized_app`,
    );
    const ctx = { db: service.db, merchantId: app!.merchantId, session: app } as unknown as Context;
    await register(ctx, ['store/customer/created'], { endpoint: receiver.url });
    await service.db.execute(sql`insert into customer (merchant_id, first_name) values (${app!.merchantId}, 'Ada')`);
    await until(
      async () => await eventsOf(ctx),
      ([event]) => event?.state === 'DELIVERED',
    );
    await sleep(UNTIL_IDLE_MS);
    const before = await loggedStatements(service.owner);
    await sleep(OBSERVED_MS);
    expect((await loggedStatements(service.owner)) - before).toBeLessThanOrEqual(MAX_STATEMENTS);
  } finally {
    await service.stop();
    await receiver.close();
  }
}, 120_000);

/** Makes the server log the statements of new connections. */
async function logStatements(owner: Database): Promise<void> {
  const [row] = await owner.execute<{ name: string }>(sql`select current_database() as name`);
  await owner.execute(sql.raw(`alter database ${row!.name} set log_statement = 'all'`));
}

async function loggedStatements(owner: Database): Promise<number> {
  const [row] = await owner.execute<{ text: string }>(sql`select pg_read_file('server.log') as text`);
  return row!.text.split('\n').filter((line) => /LOG: +(statement|execute)/.test(line)).length;
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
