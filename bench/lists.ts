import { SHOPS } from './catalogue.ts';
import { createFilteredPages } from './filtered-pages.ts';
import { openBenchDatabase } from './database.ts';
import { post } from './http-subject.ts';
import { percentilesOf, timesOf } from './percentiles.ts';
import { plansOf } from './plan.ts';
import { GRAPHQL_PATH, startService } from './service.ts';
import { openShop } from './shop.ts';

const ROUNDS = 200;
const MAX_CATEGORY_PAGE_MS = 10;

/**
 * `node bench/lists.ts`: time and indexes of pages of 20 of 100,000 products for each filter, at one connection. Fails
 * if a page of a category takes longer than 10 ms.
 */
const database = await openBenchDatabase();
try {
  const pages = await createFilteredPages(database.url, SHOPS[0]!);
  const { shop, token } = await openShop(database.url, database.merchantId);
  const service = await startService(database.servingUrl);
  try {
    for (const page of pages) {
      const [plan] = await plansOf(database.url, shop, page);
      const times = await measure(
        async () => await post(service.url + GRAPHQL_PATH, { authorization: `Bearer ${token}` }, page.request()),
      );
      console.log(JSON.stringify({ list: page.title, ...times, indexes: plan!.indexes }));
      if (page.title.startsWith('a category') && times.p50Ms > MAX_CATEGORY_PAGE_MS) process.exitCode = 1;
    }
  } finally {
    await service.stop();
  }
} finally {
  await database.close();
}

async function measure(run: () => Promise<unknown>): Promise<{ p50Ms: number; p99Ms: number }> {
  const at = percentilesOf(await timesOf(ROUNDS, run), 2);
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
