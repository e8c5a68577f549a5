import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import { connectionsPerMerchant } from '../../../src/db/connection/pool.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const POOL_SIZE = 2;
const LOCKED_WITHIN_MS = 20_000;

let database: TestDatabase;
let pools: Connection[];
let server: TestServer;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  pools = [1, 2].map(() =>
    connect(database.url, { poolSize: POOL_SIZE, statementTimeoutMs: 20_000, ...database.placement.requests }),
  );
  server = await startServer({
    schema: buildSchema(readSources(), resolvers),
    db: pools[0]!.db,
    longWritesDb: pools[1]!.db,
  });
  ctx = await createContext(database.db);
  server.sessions.set('owner', ctx.session);
});
afterAll(async () => {
  await server.drain();
  await Promise.all(pools.map(async (pool) => await pool.close()));
  await database.drop();
});

const ask = async (query: string, variables: object = {}) =>
  (await post(server.graphqlUrl, { query, variables }, { token: 'owner' })).body;

it('answers reads and short writes while long writes hold every connection that a merchant may use for them', async () => {
  const { id, variants } = await productSaver(ctx)(plainProduct('Held'));
  const input = { variantPriceInputs: [{ productId: id, variantId: variants[0]!.id, price: { sellPrice: 3 } }] };
  const setPrices = async () =>
    await ask('mutation ($input: SaveVariantPricesInput!) { saveVariantPrices(input: $input) }', { input });
  const held = await inTransaction(ctx, async ({ db }) => {
    await db.execute(sql`select from product where merchant_id = ${ctx.merchantId} and id = ${id} for update`);
    const held = Array.from({ length: POOL_SIZE + 2 }, setPrices);
    await waitForLocks(connectionsPerMerchant(POOL_SIZE));
    expect(await ask('{ listProduct { data { id } } }')).toEqual({ data: { listProduct: { data: [{ id }] } } });
    expect(await ask('mutation { saveProductTag(input: {name: "new"}) { name } }')).toEqual({
      data: { saveProductTag: { name: 'new' } },
    });
    return held;
  });
  for (const answer of await Promise.all(held)) expect(answer).toEqual({ data: { saveVariantPrices: true } });
});

/** On a cluster a statement waits on the node of its merchant, which the coordinator's pg_stat_activity does not show. */
async function waitForLocks(count: number): Promise<void> {
  const waiting = inject('isCluster')
    ? sql`select distinct waiting_gpid from citus_lock_waits`
    : sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const counted = async (): Promise<number> => (await database.db.execute(waiting)).length;
  await expect.poll(counted, { timeout: LOCKED_WITHIN_MS }).toBeGreaterThanOrEqual(count);
}
