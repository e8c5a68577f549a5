import { openBenchDatabase } from './database.ts';
import { plansOf } from './plan.ts';
import { openShop } from './shop.ts';
import { workloads } from './workloads.ts';

/**
 * `node bench/plans.ts [W1 …]`: the plan of each statement of the workloads with 100,000 products. Fails on a
 * sequential scan of a large table. Statements in triggers are not included.
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
