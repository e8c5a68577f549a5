import { Command } from 'commander';
import { connectOnce } from '../src/db/connection/connect.ts';
import { type BenchCopy, openBenchDatabases } from './database.ts';
import { startLoad } from './load.ts';
import { productAt } from './read-workloads.ts';
import { medians, type Result } from './results.ts';
import { printProgress } from './print-progress.ts';
import { serviceSubject, startService } from './service.ts';
import { openShop } from './shop.ts';
import type { Sample, Subject } from './subject.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';
import type { Shop } from './workload.ts';
import { workloads } from './workloads.ts';

const WORKLOADS = ['W1N', 'W2N', 'W3', 'W4'];
const MAX_GROWTH = 1.5;
/** Searches find about this many products in each shop, because the cost of a search grows with its hits. */
const MIN_HITS = 15;
const MAX_HITS = 30;
const MAX_SEARCHES = 100;
/** Product names from which such searches are made. */
const MAX_NAMES = 400;

type Options = { products: number[]; rounds: number; seconds: number };

await new Command('growth')
  .description(
    'measures what a request costs by how many products its merchant has, at one connection; fails where it grows',
  )
  .option(
    '--products <numbers...>',
    'products of the merchants, from few to many; a million take half an hour to generate',
    (text, former: number[] | undefined) => [...(former ?? []), Number(text)],
  )
  .option('--rounds <number>', 'rounds of each workload, in which the shops take turns', Number, 5)
  .option('--seconds <number>', 'length of a measurement', Number, 3)
  .action(
    async ({ products = [1_000, 100_000, 1_000_000], ...options }: Partial<Options> & Omit<Options, 'products'>) =>
      await run({ products, ...options }),
  )
  .parseAsync();

async function run({ products, rounds, seconds }: Options): Promise<void> {
  const { databases, close } = await openBenchDatabases(products.map((size) => [size]));
  const subjects: Subject[] = [];
  try {
    for (const [index, database] of databases.entries())
      subjects.push(await openSubject(String(products[index]), database));
    for (const workload of workloads.filter(({ name }) => WORKLOADS.includes(name))) {
      const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
      for (let round = -1; round < rounds; round++) {
        for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
          const sample = await subject.sample(workload, { seconds, connections: 1 });
          // Round -1 is the warm-up.
          if (round >= 0) samples.get(subject)!.push(sample);
          if (sample.failure) printProgress(`${workload.name} failed: ${sample.failure}`);
        }
      }
      print(subjects.map((subject) => medians(workload.name, subject.name, samples.get(subject)!)));
    }
  } finally {
    for (const subject of subjects) await subject.stop();
    await close();
  }
}

async function openSubject(name: string, { url, servingUrl, merchantId }: BenchCopy): Promise<Subject> {
  const { shop, token } = await openShop(url, merchantId);
  const searches = await searchesOf(url, shop);
  printProgress(`${name} products: ${searches.length} searches`);
  const [service, load] = [await startService(servingUrl), await startLoad({ ...shop, searches })];
  const untilIdle = async (): Promise<void> => await waitUntilIdle(url);
  const subject = serviceSubject(
    service,
    token,
    { shop, load, postgresMs: await openPostgresUsage(url), untilIdle },
    name,
  );
  const stop = async (): Promise<void> => {
    await service.stop();
    await load.stop();
  };
  return { ...subject, stop };
}

/** Words of product names, single and in pairs, that find about 20 products. */
async function searchesOf(url: string, { merchantId, products }: Shop): Promise<string[]> {
  const client = connectOnce(url);
  const found = new Set<string>();
  try {
    for (let n = 0; n < MAX_NAMES && found.size < MAX_SEARCHES; n++) {
      const name = productAt({ products } as Shop, n).name.toLowerCase();
      const rows = await client<{ search: string }[]>`
        select search from string_to_table(${name}, ' ') as a(one), string_to_table(${name}, ' ') as b(other), concat_ws(' ', one, nullif(other, one)) as search
        where one <= other and (
          select count(*) from (
            select from product_search where merchant_id = ${merchantId} and document @@ plainto_tsquery('simple', search) limit ${MAX_HITS + 1}) as hit
          ) between ${MIN_HITS} and ${MAX_HITS}`;
      for (const { search } of rows) found.add(search);
    }
  } finally {
    await client.end();
  }
  return [...found];
}

function print(results: readonly Result[]): void {
  const [smallest] = results;
  for (const { workload, subject, p50Ms, postgresCpuMs, nodeCpuMs } of results) {
    const growth = { p50: p50Ms! / smallest!.p50Ms!, postgresCpu: postgresCpuMs! / smallest!.postgresCpuMs! };
    console.log(
      JSON.stringify({
        workload,
        products: Number(subject),
        p50Ms: rounded(p50Ms!),
        postgresCpuMs: rounded(postgresCpuMs!),
        nodeCpuMs: rounded(nodeCpuMs!),
        growth: { p50: rounded(growth.p50), postgresCpu: rounded(growth.postgresCpu) },
      }),
    );
    if (Math.max(...Object.values(growth)) > MAX_GROWTH) process.exitCode = 1;
  }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
