import { Command } from 'commander';
import { loadCatalogue } from './catalogue.ts';
import type { Child } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { type Load, type LoadResult, startLoad } from './load.ts';
import { GRAPHQL_PATH, startService } from './service.ts';
import { openShop } from './shop.ts';
import { waitUntilIdle } from './usage.ts';

const WORKLOADS = ['W1', 'W2', 'mix'];
const BYSTANDER_WORKLOAD = 'W2';
const BYSTANDER_CONNECTIONS = 2;
/** Distance between the first requests of two measurements, so that no request is repeated. */
const FIRST_REQUESTS_APART = 1_000_000;

let measured = 0;

type Options = { connections: number; seconds: number };
type LoadSource = { load: Load; service: Child; token: string };

await new Command('overload')
  .description('measures what each of many connections gets, and what a second merchant gets beside them')
  .option('--connections <number>', 'connections that each send one request after the other', Number, 256)
  .option('--seconds <number>', 'length of a measurement', Number, 6)
  .action(run)
  .parseAsync();

async function run(options: Options): Promise<void> {
  const database = await openBenchDatabase();
  const service = await startService(database.servingUrl);
  const [, secondMerchantId] = await loadCatalogue(database.url);
  const crowd = await openLoadSource(service, database.url, database.merchantId);
  const bystander = await openLoadSource(service, database.url, secondMerchantId!);
  try {
    await measure(crowd, 'W1', { connections: 32, seconds: 2 });
    for (const workload of WORKLOADS) {
      print(`${workload}, ${options.connections} connections`, await measure(crowd, workload, options));
      await waitUntilIdle(database.url);
    }
    const aside = { ...options, connections: BYSTANDER_CONNECTIONS };
    print('a second merchant alone', await measure(bystander, BYSTANDER_WORKLOAD, aside));
    for (const workload of WORKLOADS) {
      const [, result] = await Promise.all([
        measure(crowd, workload, options),
        measure(bystander, BYSTANDER_WORKLOAD, aside),
      ]);
      print(`a second merchant beside ${workload}`, result);
    }
  } finally {
    for (const { load } of [crowd, bystander]) await load.stop();
    await service.stop();
    await database.close();
  }
}

async function openLoadSource(service: Child, databaseUrl: string, merchantId: string): Promise<LoadSource> {
  const { shop, token } = await openShop(databaseUrl, merchantId);
  return { load: await startLoad(shop), service, token };
}

async function measure(
  { load, service, token }: LoadSource,
  workload: string,
  { connections, seconds }: Options,
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${token}` };
  return await load.run({
    workload,
    side: 'own',
    url: service.url + GRAPHQL_PATH,
    headers,
    connections,
    seconds,
    first: ++measured * FIRST_REQUESTS_APART,
  });
}

function print(what: string, { requests, seconds, p50Ms, p99Ms, statuses, failure }: LoadResult): void {
  const rounded = {
    perSecond: Math.round(requests / seconds),
    p50Ms: Math.round(p50Ms),
    p99Ms: Math.round(p99Ms),
    ratio: Math.round((p99Ms / p50Ms) * 10) / 10,
  };
  console.log(JSON.stringify({ what, ...rounded, statuses, ...(failure && { failure }) }));
}
