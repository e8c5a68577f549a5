import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/config.ts';
import { connectOnce } from '../src/db/connection/connect.ts';
import { openLog } from '../src/process/log.ts';
import { openDatabaseEnvironment } from '../src/process/database-environment.ts';
import { startService } from '../src/service.ts';
import { openBenchDatabase } from './database.ts';
import { GRAPHQL_PATH } from './service.ts';
import { openShop, SECRET_KEY_HEX } from './shop.ts';

/**
 * `node bench/walks.ts [files]`: how many files of src run for one request and for one push, in a warm service. A file
 * counts if one of its functions is called at least once for each request. With `files`, prints their names.
 */
const WARM_UP = 200;
const COUNTED = 40;
const PUSHED_WITHIN_MS = 30_000;

const database = await openBenchDatabase([1_000]);
const { shop, token } = await openShop(database.url, database.merchantId);
const config = loadConfig({
  DATABASE_URL: database.servingUrl,
  SECRET_KEY: SECRET_KEY_HEX,
  PORT: '0',
  LOG_LEVEL: 'silent',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: 'true',
});
const environment = await openDatabaseEnvironment(config);
const service = await startService({ ...config, ...environment }, openLog('silent'));
const sql = connectOnce(database.url);
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
let received = 0;
const receiver = createServer((_request, response) => {
  received += 1;
  response.end();
}).listen(0, '127.0.0.1');

try {
  const product = 'variants { id sku prices { sellPrice } } brand { name } categories { name } tags { name }';
  await walk('listProduct', async (n) => {
    const id = { eq: shop.products[n % shop.products.length]!.id };
    await send(`query ($id: StringFilterInput) { listProduct(id: $id) { data { id name ${product} } } }`, { id });
  });
  await walk('saveProduct', async (n) => {
    const input = {
      name: `Walk ${n} ${Date.now()}`,
      type: 'PHYSICAL',
      brandId: shop.brandId,
      tagIds: [shop.tagId],
      variants: [{ sku: `W${n}`, prices: [{ sellPrice: n + 1 }] }],
    };
    await send(`mutation ($input: ProductInput!) { saveProduct(input: $input) { id name ${product} } }`, { input });
  });
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await send('mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }', {
    input: { scopes: ['store/customer/created'], endpoint },
  });
  await walk('a push', async (n) => await push(n));
} finally {
  receiver.close();
  await sql.end();
  await service.close();
  await environment.release();
  await database.close();
}

/** By plain SQL: the request that changes a customer is no part of the push. */
async function push(n: number): Promise<void> {
  const before = received;
  await sql`insert into customer (merchant_id, first_name) values (${database.merchantId}, ${`Walk ${n}`})`;
  const endMs = performance.now() + PUSHED_WITHIN_MS;
  while (received === before) {
    if (performance.now() > endMs) throw new Error('The push did not arrive.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function send(query: string, variables: object): Promise<void> {
  const response = await fetch(`${service.url}${GRAPHQL_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"')) throw new Error(`${response.status} ${text}`);
}

async function walk(name: string, request: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < WARM_UP; n += 1) await request(n);
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await inspector.post('Profiler.takePreciseCoverage');
  for (let n = 0; n < COUNTED; n += 1) await request(n);
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const root = new URL('../src/', import.meta.url).href;
  const files = result
    .filter(({ url, functions }) => url.startsWith(root) && functions.some(isCalledEachTime))
    .map(({ url }) => fileURLToPath(url).slice(fileURLToPath(root).length))
    .toSorted();
  console.log(`${name}: ${files.length} files`);
  if (process.argv.includes('files')) console.log(files.map((file) => `  ${file}`).join('\n'));
}

function isCalledEachTime({ ranges }: { ranges: { count: number }[] }): boolean {
  return ranges[0]!.count >= COUNTED;
}
