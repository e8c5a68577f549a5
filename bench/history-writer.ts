import { sql } from 'drizzle-orm';
import type * as ChangeOrigins from '../src/db/write/change-origin.ts';
import type * as Connections from '../src/db/connection/connect.ts';
import type * as Placements from '../src/db/connection/placement.ts';
import type * as BulkUpdates from '../src/product/bulkUpdateProducts.ts';
import type * as Products from '../src/product/saveProduct.ts';
import type * as Prices from '../src/product/saveVariantPrices.ts';
import type * as Contexts from '../test/support/context.ts';
import { type AppScope, appScopes } from '../src/app-scope.ts';
import type { Context } from '../src/context.ts';
import type { BenchCopy } from './database.ts';
import { importFrom } from './earlier.ts';
import { openShop } from './shop.ts';
import type { Shop, Workload } from './workload.ts';

const STATEMENT_TIMEOUT_MS = 120_000;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Operation = (ctx: Context, args: never) => Promise<unknown>;

/** Executes requests of a workload in this process, on one connection, whose server process is `pid`. */
export type Writer = {
  pid: number;
  write: (workload: Workload, n: number) => Promise<void>;
  close: () => Promise<void>;
};

/** `hasHistory`: whether the source in `directory` names the origin of changes. */
export async function openWriter(directory: string, database: BenchCopy, hasHistory: boolean): Promise<Writer> {
  const { connect } = await importFrom<typeof Connections>(directory, 'src/db/connection/connect.ts');
  const { PLAIN } = await importFrom<typeof Placements>(directory, 'src/db/connection/placement.ts');
  const { webhook } = await importFrom<typeof Contexts>(directory, 'test/support/context.ts');
  const operations = await operationsOf(directory);
  const origins = hasHistory
    ? await importFrom<typeof ChangeOrigins>(directory, 'src/db/write/change-origin.ts')
    : null;
  const { merchantId } = database;
  const { shop } = await openShop(database.url, merchantId);
  const options = { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...PLAIN.requests };
  const connection = connect(database.servingUrl, options);
  const [row] = await connection.db.execute<{ pid: number }>(sql.raw('select pg_backend_pid() as pid'));
  return {
    pid: row!.pid,
    write: async (workload, n) => {
      const { authorizedAppId } = shop;
      const session = { merchantId, authorizedAppId, scopes: new Set<AppScope>(appScopes) };
      const ctx = { db: connection.db, log: silent, requestId: crypto.randomUUID(), session, merchantId, webhook };
      const { name, run } = operations[workload.name]!;
      const origin = origins?.changeOrigin({ merchantId, operation: name, authorizedAppId, requestId: ctx.requestId });
      await run({ ...ctx, ...(origin && { origin }) }, argumentsOf(workload, shop, n));
    },
    close: async () => await connection.close(),
  };
}

async function operationsOf(directory: string): Promise<Record<string, { name: string; run: Operation }>> {
  const [{ saveProduct }, { bulkUpdateProducts }, { saveVariantPrices }] = await Promise.all([
    importFrom<typeof Products>(directory, 'src/product/saveProduct.ts'),
    importFrom<typeof BulkUpdates>(directory, 'src/product/bulkUpdateProducts.ts'),
    importFrom<typeof Prices>(directory, 'src/product/saveVariantPrices.ts'),
  ]);
  const selection = { name: {}, variants: { sku: {} } };
  return {
    W5: { name: 'saveProduct', run: async (ctx, args) => await saveProduct(ctx, args, selection) },
    W6: { name: 'bulkUpdateProducts', run: bulkUpdateProducts },
    W7: { name: 'saveVariantPrices', run: saveVariantPrices },
  };
}

function argumentsOf(workload: Workload, shop: Shop, n: number): never {
  return workload.request(shop, n).variables as never;
}
