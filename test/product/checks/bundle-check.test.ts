import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { type Feeds, feedsOf, type Read } from '../bulk/feeds.ts';

/** Without the lock more than half of the rounds end with a bundle that contains itself. */
const ROUNDS = 6;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let shop: Feeds;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  shop = feedsOf(server.call, ctx);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const bundleOf = (...productIds: string[]) => ({
  name: 'Bundle',
  type: 'BUNDLE',
  variants: [
    { prices: [{ sellPrice: 1 }] },
    {
      prices: [{ sellPrice: 1 }],
      bundleSettings: {
        products: productIds.map((productId) => ({
          id: productId,
          productId,
          quantity: 1,
          order: 0,
          filteredVariantIds: [],
        })),
      },
    },
  ],
});
const create = async (...productIds: string[]): Promise<Read> =>
  await shop.save('saveProduct', bundleOf(...productIds));
const refusals = async (id: string, ...productIds: string[]) =>
  (await server.call(ctx, 'saveProduct', { input: { ...bundleOf(...productIds), id } })).errors;
const refused = [
  {
    extensions: {
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [{ path: ['input', 'variants', 1, 'bundleSettings', 'products'] }],
    },
  },
];

describe('a bundle', () => {
  it('cannot contain itself, directly or through other bundles', async () => {
    const part = await create();
    const inner = await create(part.id);
    const middle = await create(part.id, inner.id);
    const outer = await create(middle.id);
    for (const held of [inner, middle, outer])
      expect(await refusals(inner.id, part.id, held.id)).toMatchObject(refused);
    expect(await refusals(part.id, outer.id)).toMatchObject(refused);
    expect(await refusals(outer.id, part.id, inner.id, middle.id)).toBeUndefined();
  });

  it('cannot be made to contain itself by concurrent saves', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await create(), await create()];
      const between = await create(other.id);
      const errors = await Promise.all([refusals(one.id, between.id), refusals(other.id, one.id)]);
      expect(errors.filter((given) => given !== undefined)).toMatchObject([refused]);
    }
  });

  it('may contain one that contained it before', async () => {
    const part = await create();
    const former = await create(part.id);
    await shop.save('saveProduct', { ...bundleOf(), id: former.id });
    expect(await refusals(part.id, former.id)).toBeUndefined();
  });

  it('can be sent back as it was read', async () => {
    const { id } = await create((await create()).id);
    const before = (await shop.products()).find((product) => product.id === id)!;
    expect(await shop.save('saveProduct', sentBack('saveProduct', before))).toEqual(before);
  });
});
