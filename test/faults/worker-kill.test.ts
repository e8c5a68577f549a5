import type { ServerResponse } from 'node:http';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, ownerOf, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, type RunningService, startMain } from '../support/process.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { openReceiver, type Received, until } from '../worker/webhooks/receiver.ts';
import { eventsOf, register } from '../webhook/ledger.ts';

/** Claims and jobs expire after 15 s, and workers look for expired ones every 5 s. */
const TAKEN_OVER_WITHIN_MS = 60_000;

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

let database: TestDatabase;
let dataDir: DataDir;
let worker: RunningService;
let receiver: Receiver;
/** How the receiver answers a request. */
let respond: (one: Received, response: ServerResponse) => void = answer200;
beforeAll(async () => {
  [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  receiver = await openReceiver((one, response) => respond(one, response));
});
afterAll(async () => {
  await worker.stop('SIGKILL');
  await receiver.close();
  await database.drop();
  await dataDir.remove();
});

// docs/reliability-tests.md: 92
it('repeats at most one request after it was killed while it polls, claims, sends or settles', async () => {
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created'], { endpoint: receiver.url });
  await killWhileBlocked(ctx, 'polling', sql`lock table pgboss.job in exclusive mode`);
  await killWhileBlocked(ctx, 'claiming', lockDeliveries(ctx));
  await killWhileSending(ctx);
  await killWhileSettling(ctx);
  worker = await startWorker();
  const events = await until(
    () => eventsOf(ctx),
    (rows) => rows.every(({ state }) => state === 'DELIVERED'),
    TAKEN_OVER_WITHIN_MS,
  );
  expect(events.map(({ data }) => data.firstName)).toEqual(['polling', 'claiming', 'sending', 'settling']);
  const requestsOf = (id: string) => receiver.received.filter((one) => one.id === id).length;
  // A kill repeats at most one request. On a busy machine the worker may be killed one step later than intended, so
  // requests may be repeated for the kills during polling and claiming too.
  for (const { id } of events) expect([1, 2]).toContain(requestsOf(id));
  // PostgreSQL may have executed the claim of a killed worker, which counts as an attempt.
  for (const { attempts } of events) expect(attempts).toBeLessThanOrEqual(2);
}, 240_000);

/** Pauses the worker before the event, so that the lock is taken before the worker's statement needs it. */
async function killWhileBlocked(ctx: Context, name: string, lock: SQL): Promise<void> {
  worker = await startWorker();
  worker.child.kill('SIGSTOP');
  await addCustomer(ctx, name);
  await ownerOf(database.db).transaction(async (holder) => {
    await holder.execute(lock);
    worker.child.kill('SIGCONT');
    await waitForLocks(database.owner, 1);
    await worker.stop('SIGKILL');
  });
}

async function killWhileSending(ctx: Context): Promise<void> {
  respond = (one, response) => (firstNameOf(one) === 'sending' ? undefined : answer200(one, response));
  worker = await startWorker();
  await addCustomer(ctx, 'sending');
  await requestOf('sending');
  await worker.stop('SIGKILL');
  respond = answer200;
}

async function killWhileSettling(ctx: Context): Promise<void> {
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  respond = (one, response) => (firstNameOf(one) === 'settling' ? hold(response) : answer200(one, response));
  worker = await startWorker();
  await addCustomer(ctx, 'settling');
  const response = await held;
  await ownerOf(database.db).transaction(async (holder) => {
    await holder.execute(lockDeliveries(ctx));
    response.writeHead(200).end();
    await waitForLocks(database.owner, 1);
    await worker.stop('SIGKILL');
  });
  respond = answer200;
}

function lockDeliveries({ merchantId }: Context): SQL {
  return sql`select from webhook_delivery where merchant_id = ${merchantId} and state = 'PENDING' for update`;
}

async function startWorker(): Promise<RunningService> {
  return await startMain({
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dataDir.path,
    ROLE: 'worker',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
}

async function addCustomer({ db, merchantId }: Context, name: string): Promise<void> {
  await db.execute(sql`insert into customer (merchant_id, first_name) values (${merchantId}, ${name})`);
}

async function requestOf(name: string): Promise<void> {
  await until(
    () => receiver.received.map(firstNameOf),
    (names) => names.includes(name),
  );
}

function firstNameOf({ body }: Received): string {
  return (JSON.parse(body.data as string) as { firstName: string }).firstName;
}

function answer200(_: Received, response: ServerResponse): void {
  response.writeHead(200).end();
}
