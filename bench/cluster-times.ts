import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../src/app/credentials/access-token.ts';
import { createApp } from '../src/app/create-app.ts';
import { appScopes } from '../src/app-scope.ts';
import { connectForWork } from '../src/db/connection/connect-for-work.ts';
import { newId } from '../src/db/sql/id.ts';
import { createMerchant } from '../src/merchant/create-merchant.ts';
import { type Answer, codes, post } from '../test/support/post.ts';
import { createDataDir, startMain } from '../test/support/process.ts';
import { openReceiver, until } from '../test/worker/webhooks/receiver.ts';
import { percentilesOf, timesOf } from './percentiles.ts';

/*
 * Measures how long operations take for one client on each of the databases given. To compare a cluster with plain
 * PostgreSQL, pass the URLs of both, on the same machine. Each database has a service of its own. The requests
 * alternate between the services: other work on the machine then slows both of them, and the ratio of their times stays
 * the same. Each service creates its tables if its database is empty.
 *
 * With the word `rate` at the end it also sends 100 changes a second to each service, by requests and by SQL. It prints
 * whether the service keeps up with them, and how long after its commit a change arrives at the receiver of a webhook.
 *
 *   node bench/cluster-times.ts postgres://…/cluster postgres://…/plain [rate]
 */

const PRODUCTS = 200;
const ROUNDS = 40;
const WARM_UP = 10;
const CHANGES_PER_S = 100;
const CHANGES = 300;
const SECRET_KEY = '0'.repeat(64);

const SAVE_PRODUCT = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id version variants { id } } }';
const SAVE_CUSTOMER = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';
const SAVE_WEBHOOK = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }';
const RECORD = 'id name version categories { id name } variants { id sku prices { sellPrice } }';

type Send = (query: string, variables?: object) => Promise<Record<string, unknown>>;
type Shop = {
  name: string;
  runs: Record<string, () => Promise<unknown>>;
  answer: (query: string, variables?: object) => Promise<Answer>;
  /** Inserts a customer by SQL, and returns its id. */
  insertCustomer: () => Promise<string>;
  /** When the receiver got the webhook about a customer, by the id of the customer. */
  arrivedAtMs: ReadonlyMap<string, number>;
  close: () => Promise<void>;
};

const given = process.argv.slice(2);
const shops: Shop[] = [];
try {
  for (const url of given.filter((one) => one !== 'rate')) shops.push(await openShop(url));
  await showTimes();
  if (given.includes('rate')) for (const shop of shops) await showRates(shop);
} finally {
  for (const { close } of shops) await close();
}

/** A service on one of the databases, with products of its own. */
async function openShop(databaseUrl: string): Promise<Shop> {
  const dataDir = await createDataDir();
  const own = { SECRET_KEY, DATA_DIR: dataDir.path, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startMain({ DATABASE_URL: databaseUrl, ...own });
  const { token, merchantId, db, close: disconnect } = await createClient(databaseUrl);
  const answer = async (query: string, variables: object = {}) =>
    await post(`${service.url}/api/v1/admin/graphql`, { query, variables }, { token });
  const send: Send = async (query, variables) => {
    const found = await answer(query, variables);
    if (codes(found).length > 0) throw new Error(JSON.stringify(found.body.errors));
    return found.body.data!;
  };
  const ids: string[] = [];
  for (let n = 0; n < PRODUCTS; n++) {
    const { saveProduct } = await send(SAVE_PRODUCT, { input: product(`Product ${n}`) });
    ids.push((saveProduct as { id: string }).id);
  }
  const arrivedAtMs = new Map<string, number>();
  const receiver = await openReceiver(({ body }, response) => {
    arrivedAtMs.set((JSON.parse(String(body.data)) as { id: string }).id, performance.now());
    response.writeHead(200).end();
  });
  await send(SAVE_WEBHOOK, { input: { endpoint: receiver.url, scopes: ['store/customer/created'] } });
  const insertCustomer = async (): Promise<string> => {
    const id = newId();
    await db.execute(sql`insert into customer (merchant_id, id, first_name) values (${merchantId}, ${id}, 'Ada')`);
    return id;
  };
  const { host, pathname } = new URL(databaseUrl);
  const close = async (): Promise<void> => {
    await service.stop();
    await receiver.close();
    await disconnect();
    await dataDir.remove();
  };
  return { name: `${host}${pathname}`, runs: runsOf(send, ids), answer, insertCustomer, arrivedAtMs, close };
}

/** Creates a merchant with an app, and returns a token of the app and a connection to the database. */
async function createClient(databaseUrl: string) {
  const { close, ...ctx } = await connectForWork(databaseUrl, { poolSize: 4, statementTimeoutMs: 15_000 });
  const owner = { email: 'bench@example.com', firstName: 'B', lastName: 'B', currencyCode: 'EUR' };
  const { merchantId } = await createMerchant(ctx, { input: owner });
  const secretKey = createSecretKey(Buffer.from(SECRET_KEY, 'hex'));
  const own = { ...ctx, merchantId, secretKey };
  const { authorizedAppId } = await createApp(own, { input: { name: 'Bench', scopes: [...appScopes] } });
  const token = await issueAccessToken(own, { authorizedAppId, scopes: [...appScopes] });
  return { token, merchantId, db: ctx.db, close };
}

function product(name: string) {
  const variants = ['S', 'M', 'L'].map((size) => ({ sku: `${name} ${size}`, prices: [{ sellPrice: 9.5 }] }));
  return { name, type: 'PHYSICAL', variants };
}

function runsOf(send: Send, ids: readonly string[]): Record<string, () => Promise<unknown>> {
  let round = 0;
  const next = (): string => ids[round++ % ids.length]!;
  return {
    'page of 20 products': () => send(`{ listProduct(pagination: {limit: 20}) { data { ${RECORD} } } }`),
    'one product': () =>
      send(`query ($id: String!) { listProduct(id: {eq: $id}) { data { ${RECORD} } } }`, { id: next() }),
    searchProducts: () => send(`{ searchProducts(input: {query: "product 7"}) { results { ${RECORD} } } }`),
    saveCustomer: () => send(SAVE_CUSTOMER, { input: { firstName: 'Ada' } }),
    'saveProduct, new': () => send(SAVE_PRODUCT, { input: product(`New ${round++}`) }),
    'saveProduct, changed': () => send(SAVE_PRODUCT, { input: { ...product(`Changed ${round}`), id: next() } }),
    updateProduct: () =>
      send(`mutation { updateProduct(id: "${next()}", patch: {name: "Renamed ${round}"}) { id version } }`),
  };
}

/** Prints the times of each operation on each database, and the ratio of the first database's times to the others'. */
async function showTimes(): Promise<void> {
  for (const name of Object.keys(shops[0]?.runs ?? {})) {
    for (const { runs } of shops) await timesOf(WARM_UP, runs[name]!);
    const times = shops.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { runs }] of shops.entries()) times[index]!.push(...(await timesOf(1, runs[name]!)));
    const shares = times.map((one) => percentilesOf(one, 1));
    for (const [index, share] of shares.entries()) {
      const ratio = index > 0 ? `   first: ${(shares[0]!(0.5) / share(0.5)).toFixed(2)} times` : '';
      const figures = `p50 ${String(share(0.5)).padStart(6)} ms   p90 ${String(share(0.9)).padStart(6)} ms`;
      process.stdout.write(`${name.padEnd(22)} ${shops[index]!.name.padEnd(24)} ${figures}${ratio}\n`);
    }
  }
}

async function showRates({ name, answer, insertCustomer, arrivedAtMs }: Shop): Promise<void> {
  process.stdout.write(`${name}\n`);
  const committedAtMs = new Map<string, number>();
  await showRate('saveProduct', async () => (await answer(SAVE_PRODUCT, { input: product('New') })).status);
  await showRate('saveCustomer', async () => {
    const { status, body } = await answer(SAVE_CUSTOMER, { input: { firstName: 'Ada' } });
    const saved = body.data?.saveCustomer as { id: string } | null | undefined;
    if (saved) committedAtMs.set(saved.id, performance.now());
    return status;
  });
  await showArrivals(committedAtMs, arrivedAtMs);
  committedAtMs.clear();
  await showRate('insert into customer', async () => {
    committedAtMs.set(await insertCustomer(), performance.now());
    return 'done';
  });
  await showArrivals(committedAtMs, arrivedAtMs);
}

/** Sends changes at a constant rate, without waiting for the answers, and prints how many had which result. */
async function showRate(name: string, change: () => Promise<number | string>): Promise<void> {
  const startedAtMs = performance.now();
  const results: Promise<number | string>[] = [];
  for (let n = 0; n < CHANGES; n++) {
    await wait(Math.max(startedAtMs + (n * 1_000) / CHANGES_PER_S - performance.now(), 0));
    results.push(change());
  }
  const groups = Object.entries(Object.groupBy(await Promise.all(results), String));
  const tookS = (performance.now() - startedAtMs) / 1_000;
  const counts = groups.map(([result, all]) => `${all!.length} x ${result}`).join(', ');
  process.stdout.write(`${CHANGES} ${name} at ${CHANGES_PER_S}/s: ${counts}, in ${tookS.toFixed(1)} s\n`);
}

/** Prints how long after its commit, as the client saw it, each change arrived at the receiver. */
async function showArrivals(
  committedAtMs: ReadonlyMap<string, number>,
  arrivedAtMs: ReadonlyMap<string, number>,
): Promise<void> {
  const isMissing = (id: string): boolean => !arrivedAtMs.has(id);
  await until(
    () => [...committedAtMs.keys()].filter(isMissing).length,
    (missing) => missing === 0,
    60_000,
  );
  const share = percentilesOf(
    [...committedAtMs].map(([id, atMs]) => arrivedAtMs.get(id)! - atMs),
    1,
  );
  process.stdout.write(`  commit to receiver: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms\n`);
}
