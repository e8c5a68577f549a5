import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
import { waitForLocks } from '../../support/wait-for-locks.ts';

const POOL_SIZE = 2;

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
    await waitForLocks(database.db, connectionsPerMerchant(POOL_SIZE));
    expect(await ask('{ listProduct { data { id } } }')).toEqual({ data: { listProduct: { data: [{ id }] } } });
    expect(await ask('mutation { saveProductTag(input: {name: "new"}) { name } }')).toEqual({
      data: { saveProductTag: { name: 'new' } },
    });
    return held;
  });
  for (const answer of await Promise.all(held)) expect(answer).toEqual({ data: { saveVariantPrices: true } });
});
