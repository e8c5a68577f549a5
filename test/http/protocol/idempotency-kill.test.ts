import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { type Clients, countRows, isReplay, type Send, startClients } from '../../support/clients.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, codes } from '../../support/post.ts';
import { startServiceProcess } from '../../support/service.ts';

const CLIENTS = 20;
const PRODUCTS = 50;
const POLL_MS = 10;
const NO_GATE = 'a trigger on a worker node cannot wait for a lock of the coordinator';

const saveBulk = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';

let database: TestDatabase;
let clients: Clients;
beforeAll(async () => {
  database = await createDatabase();
  clients = await startClients(database);
});
afterAll(async () => {
  await clients.stop();
  await database.drop();
});

describe(`${CLIENTS} clients that repeat one bulk mutation with one key`, () => {
  it('have one effect and equal responses', async () => {
    const { app, send } = await clients.createClient();
    const answers = await repeatedly(send, bulkRequest(), 'bulk');
    expect(await outcome(app, answers)).toEqual(oneEffect);
    expect(answers.filter(isReplay)).toHaveLength(CLIENTS - 1);
  });

  it('do not occupy connections while they wait', async (test) => {
    skipOnCluster(test, NO_GATE);
    const { app, send } = await clients.createClient();
    const gate = await closeGate('before insert on bulk_operation');
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => await send({ query: '{ listProduct { count } }' })),
    );
    expect(others.flatMap(codes)).toEqual([]);
    await gate.open();
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it.for([
    ['during the effect', 'before insert on bulk_operation'],
    ['after the effect, before the answer is stored', 'before update on idempotency_key'],
    ['after the answer is stored, before the commit', 'after update on idempotency_key'],
  ])('have one effect and equal answers when the process is killed %s', async ([, moment], test) => {
    skipOnCluster(test, NO_GATE);
    const { app, send } = await clients.createClient();
    const gate = await closeGate(moment!);
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    await clients.restart(async () => await gate.open());
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  // The gates above stop it at more moments, but not on a cluster.
  it.runIf(inject('isCluster'))(
    'have one effect and equal responses when the process is killed right after the effect',
    async () => {
      const { app, send } = await clients.createClient();
      const answers = repeatedly(send, bulkRequest(), 'bulk');
      await until(async () => (await countRows('bulk_operation', app)) === 1);
      await clients.restart();
      expect(await outcome(app, await answers)).toEqual(oneEffect);
    },
  );

  it("have one effect and equal responses when the process is killed again while it waits for the first one's transaction", async (test) => {
    skipOnCluster(test, NO_GATE);
    const { app, send } = await clients.createClient();
    const gate = await closeGate('before update on idempotency_key');
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    await clients.restart();
    await until(async () => await isSomebodyWaiting('transactionid'));
    await clients.restart(async () => await gate.open());
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it('of two processes have one effect and equal responses', async () => {
    const { app, send } = await clients.createClient();
    const second = await startServiceProcess(database.url);
    const sendToSecond = await clients.clientOf(app, undefined, second);
    const request = bulkRequest();
    const answers = await Promise.all([repeatedly(send, request, 'bulk'), repeatedly(sendToSecond, request, 'bulk')]);
    await second.kill();
    expect(await outcome(app, answers.flat())).toEqual(oneEffect);
    expect(answers.flat().filter(isReplay)).toHaveLength(2 * CLIENTS - 1);
  });
});

async function repeatedly(send: Send, request: object, key: string): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: CLIENTS }, async () => await send(request, key)));
}

function bulkRequest(): object {
  const products = Array.from({ length: PRODUCTS }, (_, at) => ({
    name: `Product ${at}`,
    type: 'PHYSICAL',
    categories: [{ name: ['A', 'B'] }],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: at }] }],
  }));
  return { query: saveBulk, variables: { input: products } };
}

/** The expected answers of the clients and rows of the database if the request was executed once. */
const oneEffect = {
  answers: [{ status: 200, body: { data: { bulkUpdateProducts: expect.any(String) as string } } }],
  firstsAtMost: 1,
  products: PRODUCTS,
  bulkOperations: 1,
  categories: 2,
};

async function outcome(app: Context, answers: Answer[]): Promise<object> {
  const different = new Set(answers.map(({ status, body }) => JSON.stringify({ status, body })));
  return {
    answers: [...different].map((answer) => JSON.parse(answer) as object),
    firstsAtMost: Math.max(1, answers.filter((answer) => !isReplay(answer)).length),
    products: await countRows('product', app),
    bulkOperations: await countRows('bulk_operation', app),
    categories: await countRows('category', app),
  };
}

/** Blocks the service's transactions at a statement, by a trigger that waits for a lock, until `open` is called. */
async function closeGate(moment: string): Promise<{ reached(): Promise<void>; open(): Promise<void> }> {
  await database.owner.execute(
    sql.raw(`
    create function pass_gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger pass_gate ${moment} for each row execute function pass_gate();`),
  );
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const closed = Promise.withResolvers<void>();
  const holding = inTransaction(database, async ({ db }) => {
    await db.execute(sql`select pg_advisory_xact_lock(1)`);
    closed.resolve();
    await opened;
  });
  await closed.promise;
  return {
    reached: async () => await until(async () => await isSomebodyWaiting('advisory')),
    open: async () => {
      open();
      await holding;
      await database.owner.execute(sql`drop function pass_gate cascade`);
    },
  };
}

async function isSomebodyWaiting(lock: string): Promise<boolean> {
  const rows = await database.db.execute(
    sql`select from pg_stat_activity where datname = current_database() and wait_event = ${lock}`,
  );
  return rows.length > 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
