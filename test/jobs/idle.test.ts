import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { encryptClientSecret } from '../../src/app/client-secret.ts';
import { startWebhooks } from '../../src/jobs/startWebhooks.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventsOf, register } from '../webhook/ledger.ts';
import { openReceiver, until } from './receiver.ts';

const MINUTE_MS = 60_000;
const STATEMENTS_A_MINUTE = 60;

it('keeps Postgres quiet when there is nothing to do', async () => {
  const database = await createDatabase();
  const ctx = await createContext(database.db);
  const { merchantId } = ctx;
  const secretKey = createSecretKey(randomBytes(32));
  const secret = encryptClientSecret(secretKey, { merchantId, authorizedAppId: ctx.session.authorizedAppId }, 'secret');
  await database.db.execute(sql`update authorized_app set client_secret_encrypted = ${secret} where merchant_id = ${merchantId}`);
  const receiver = await openReceiver();
  await register(ctx, ['store/customer/created'], { endpoint: receiver.url });
  await logStatements(database);
  const worker = await startWebhooks({ databaseUrl: database.url, allowHttp: true, allowPrivate: true, secretKey, retryDelaysMs: [100, 200], log: ctx.log });
  try {
    await database.db.execute(sql`insert into customer (merchant_id, first_name) values (${merchantId}, 'Ada')`);
    await until(async () => await eventsOf(ctx), ([event]) => event?.state === 'DELIVERED');
    await sleep(1_000);
    const before = await loggedStatements(database);
    await sleep(MINUTE_MS);
    expect((await loggedStatements(database)) - before).toBeLessThanOrEqual(STATEMENTS_A_MINUTE);
  } finally {
    await worker.stop();
    await receiver.close();
    await database.drop();
  }
}, 3 * MINUTE_MS);

/** In the log of connections that are opened from now on. */
async function logStatements({ owner }: TestDatabase): Promise<void> {
  const [row] = await owner.execute<{ name: string }>(sql`select current_database() as name`);
  await owner.execute(sql.raw(`alter database ${row!.name} set log_statement = 'all'`));
}

async function loggedStatements({ owner }: TestDatabase): Promise<number> {
  const [row] = await owner.execute<{ text: string }>(sql`select pg_read_file('server.log') as text`);
  return row!.text.split('\n').filter((line) => /LOG: +(statement|execute)/.test(line)).length;
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
