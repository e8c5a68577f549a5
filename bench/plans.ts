import { openBenchDatabase } from './database.ts';
import { plansOf } from './plan.ts';
import { openShop } from './shop.ts';
import { workloads } from './workloads.ts';

/**
 * `node bench/plans.ts [W1 …]`: how Postgres goes about each statement of the workloads among 100,000 products.
 * Fails where one reads a large table from end to end. Statements inside triggers are not among them.
 */
const names = process.argv.slice(2);
const database = await openBenchDatabase();
try {
  const { shop } = await openShop(database.url, database.merchantId);
  for (const workload of workloads.filter(({ name }) => names.length === 0 || names.includes(name))) {
    for (const plan of await plansOf(database.url, shop, workload)) {
      console.log(JSON.stringify({ workload: workload.name, ...plan }));
      if (plan.whole.length > 0) process.exitCode = 1;
    }
  }
} finally {
  await database.close();
}
