import { loadCatalogue, SHOPS } from './catalogue.ts';
import { openBenchDatabase } from './database.ts';

const database = await openBenchDatabase();
const start = performance.now();
const merchants = await loadCatalogue(database.url, SHOPS, (shop) => console.error(`${SHOPS[shop]} products, ${seconds()} s`));
console.log(JSON.stringify({ merchants, products: SHOPS, seconds: seconds() }));
await database.close();

function seconds(): number {
  return Math.round(performance.now() - start) / 1_000;
}
