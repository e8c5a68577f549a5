import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { issueAccessToken } from '../src/app/credentials/access-token.ts';
import { createApp } from '../src/app/create-app.ts';
import { appScopes } from '../src/app-scope.ts';
import { connectForWork } from '../src/db/connection/connect-for-work.ts';
import { createMerchant } from '../src/merchant/create-merchant.ts';
import { codes, post } from '../test/support/post.ts';
import { createDataDir, startMain } from '../test/support/process.ts';
import { percentilesOf, timesOf } from './percentiles.ts';

/*
 * Measures on each of the databases given how long operations take for one client, and whether the service keeps up with
 * 100 changes a second. To compare a cluster with plain PostgreSQL, pass the URLs of both, on the same machine.
 * The service creates its tables in a database that is empty.
 *
 *   node bench/cluster-times.ts postgres://…/cluster postgres://…/plain
 */

const PRODUCTS = 200;
const ROUNDS = 40;
const WARM_UP = 10;
const CHANGES_PER_S = 100;
const CHANGES = 300;
const SECRET_KEY = '0'.repeat(64);

const SAVE_PRODUCT = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id version variants { id } } }';
const SAVE_CUSTOMER = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';
const RECORD = 'id name version categories { id name } variants { id sku prices { sellPrice } }';

type Send = (query: string, variables?: object) => Promise<Record<string, unknown>>;

for (const url of process.argv.slice(2)) {
  const { host, pathname } = new URL(url);
  process.stdout.write(`\n${host}${pathname}\n`);
  await measure(url);
}

async function measure(databaseUrl: string): Promise<void> {
  const dataDir = await createDataDir();
  const service = await startMain({ DATABASE_URL: databaseUrl, SECRET_KEY, DATA_DIR: dataDir.path });
  try {
    const token = await createClient(databaseUrl);
    const answer = async (query: string, variables: object = {}) =>
      await post(`${service.url}/api/v1/admin/graphql`, { query, variables }, { token });
    const send: Send = async (query, variables) => {
      const found = await answer(query, variables);
      if (codes(found).length > 0) throw new Error(JSON.stringify(found.body.errors));
      return found.body.data!;
    };
    await showTimes(send);
    await showRate(async () => (await answer(SAVE_CUSTOMER, { input: { firstName: 'Ada' } })).status, 'saveCustomer');
    await showRate(async () => (await answer(SAVE_PRODUCT, { input: product('New') })).status, 'saveProduct');
  } finally {
    await service.stop();
    await dataDir.remove();
  }
}

/** Creates a merchant with an app, and returns a token of the app. */
async function createClient(databaseUrl: string): Promise<string> {
  const { close, ...ctx } = await connectForWork(databaseUrl, { poolSize: 1, statementTimeoutMs: 15_000 });
  const owner = { email: 'bench@example.com', firstName: 'B', lastName: 'B', currencyCode: 'EUR' };
  const { merchantId } = await createMerchant(ctx, { input: owner });
  const secretKey = createSecretKey(Buffer.from(SECRET_KEY, 'hex'));
  const own = { ...ctx, merchantId, secretKey };
  const { authorizedAppId } = await createApp(own, { input: { name: 'Bench', scopes: [...appScopes] } });
  const token = await issueAccessToken(own, { authorizedAppId, scopes: [...appScopes] });
  await close();
  return token;
}

function product(name: string) {
  const variants = ['S', 'M', 'L'].map((size) => ({ sku: `${name} ${size}`, prices: [{ sellPrice: 9.5 }] }));
  return { name, type: 'PHYSICAL', variants };
}

async function showTimes(send: Send): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < PRODUCTS; n++) {
    const { saveProduct } = await send(SAVE_PRODUCT, { input: product(`Product ${n}`) });
    ids.push((saveProduct as { id: string }).id);
  }
  let round = 0;
  const next = (): string => ids[round++ % ids.length]!;
  const runs: Record<string, () => Promise<unknown>> = {
    'page of 20 products': () => send(`{ listProduct(pagination: {limit: 20}) { data { ${RECORD} } } }`),
    'one product': () =>
      send(`query ($id: String!) { listProduct(id: {eq: $id}) { data { ${RECORD} } } }`, { id: next() }),
    searchProducts: () => send(`{ searchProducts(input: {query: "product 7"}) { results { ${RECORD} } } }`),
    saveCustomer: () => send(SAVE_CUSTOMER, { input: { firstName: 'Ada' } }),
    'saveProduct, new': () => send(SAVE_PRODUCT, { input: product(`New ${round++}`) }),
    updateProduct: () =>
      send(`mutation { updateProduct(id: "${next()}", patch: {name: "Renamed ${round}"}) { id version } }`),
  };
  for (const [name, run] of Object.entries(runs)) {
    await timesOf(WARM_UP, run);
    const share = percentilesOf(await timesOf(ROUNDS, run), 1);
    process.stdout.write(`${name.padEnd(24)} p50 ${String(share(0.5)).padStart(6)} ms   p90 ${share(0.9)} ms\n`);
  }
}

/** Sends changes at a constant rate, without waiting for the answers, and prints how many got which status. */
async function showRate(change: () => Promise<number>, name: string): Promise<void> {
  const startedAtMs = performance.now();
  const answers: Promise<number>[] = [];
  for (let n = 0; n < CHANGES; n++) {
    await wait(Math.max(startedAtMs + (n * 1_000) / CHANGES_PER_S - performance.now(), 0));
    answers.push(change());
  }
  const statuses = Object.entries(Object.groupBy(await Promise.all(answers), String));
  const tookS = (performance.now() - startedAtMs) / 1_000;
  const counts = statuses.map(([status, all]) => `${all!.length} x ${status}`).join(', ');
  process.stdout.write(`${CHANGES} ${name} at ${CHANGES_PER_S}/s: ${counts}, in ${tookS.toFixed(1)} s\n`);
}
