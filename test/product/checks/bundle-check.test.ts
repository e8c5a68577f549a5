import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { entry, type Feeds, feedsOf, type Read } from '../bulk/feeds.ts';

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

/** A product whose bundle, which holds another product, is deleted. */
async function heldByDeleted(): Promise<{ outer: Read; inner: string }> {
  const inner = await create();
  const outer = await create(inner.id);
  const patch = { variants: [{ id: outer.variants[1]!.id, deleted: true }] };
  expect((await server.call(ctx, 'updateProduct', { id: outer.id, patch })).errors).toBeUndefined();
  return { outer, inner: inner.id };
}

async function lastChange(recordId: string): Promise<{ id: string; changeSet: { id: string } }> {
  const { data } = await server.call(ctx, 'listChange', { recordId: { eq: recordId }, pagination: { limit: 1 } });
  return (data as any).listChange.data[0];
}

/** The entry of a bulk request that restores the bundle of the product. */
const restored = ({ id, name, variants }: Read) =>
  entry('', [{ id: variants[1]!.id, deleted: false, prices: [] }], { id, name, sourceId: null });

type Restoration = { operation: string; variables: object; path: (string | number)[] };
const restorations: Record<string, (outer: Read, changeSetId: string) => Restoration> = {
  updateProduct: ({ id, variants }) => ({
    operation: 'updateProduct',
    variables: { id, patch: { variants: [{ id: variants[1]!.id, deleted: false }] } },
    path: ['patch', 'variants', 0, 'deleted'],
  }),
  saveProduct: ({ id, variants }) => ({
    operation: 'saveProduct',
    variables: {
      input: { ...bundleOf(), id, variants: variants.map(({ id }) => ({ id, prices: [] })) },
    },
    path: ['input', 'variants', 1, 'deleted'],
  }),
  bulkUpdateProducts: (outer) => ({
    operation: 'bulkUpdateProducts',
    variables: { input: [restored(outer)] },
    path: ['input', 0, 'variants', 0, 'deleted'],
  }),
  revertChanges: ({ id, variants }, changeSetId) => ({
    operation: 'revertChanges',
    variables: { input: { changeSetId } },
    path: ['PRODUCT', id, 'variants', variants[1]!.id, 'deleted'],
  }),
};

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

  it('may contain products that a deleted variant contained', async () => {
    const { outer, inner } = await heldByDeleted();
    expect(await refusals(inner, outer.id)).toBeUndefined();
  });

  it.each(Object.keys(restorations))('cannot be made to contain itself by %s', async (name) => {
    const { outer, inner } = await heldByDeleted();
    const { changeSet } = await lastChange(outer.id);
    expect(await refusals(inner, outer.id)).toBeUndefined();
    const { operation, variables, path } = restorations[name]!(outer, changeSet.id);
    const { errors } = await server.call(ctx, operation, variables);
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path }] } }]);
    await shop.save('saveProduct', { ...bundleOf(), id: inner });
    expect((await server.call(ctx, operation, variables)).errors).toBeUndefined();
  });

  it('cannot be made to contain itself by a bulk request or a revert that restores two variants', async () => {
    const { outer, inner } = await heldByDeleted();
    const first = await lastChange(outer.id);
    expect(await refusals(inner, outer.id)).toBeUndefined();
    const held = (await shop.products()).find(({ id }) => id === inner)!;
    await shop.save('saveProduct', { ...bundleOf(), id: inner });
    const second = await lastChange(inner);
    const input = [outer, held].map(restored);
    const bulk = await server.call(ctx, 'bulkUpdateProducts', { input });
    expect(bulk.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
    const revert = await server.call(ctx, 'revertChanges', { input: { changeIds: [first.id, second.id] } });
    expect(revert.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
    for (const one of input) expect((await shop.send(one)).errors === undefined).toBe(one === input[0]);
  });

  it('cannot be made to contain itself by a revert that inserts it again', async () => {
    const inner = await create();
    const { id } = await create(inner.id);
    const outer = await create(id);
    await database.owner.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const removal = await lastChange(id);
    expect(await refusals(inner.id, outer.id)).toBeUndefined();
    const revert = await server.call(ctx, 'revertChanges', { input: { changeIds: [removal.id] } });
    expect(revert.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
    await shop.save('saveProduct', { ...bundleOf(), id: inner.id });
    const repeated = await server.call(ctx, 'revertChanges', { input: { changeIds: [removal.id] } });
    expect(repeated.errors).toBeUndefined();
  });

  it('may contain a bundle in which plain SQL stored what is no id', async () => {
    const [part, damaged] = [await create(), await create()];
    const settings = JSON.stringify({ products: [{ productId: 'x' }, { productId: part.id }] });
    await database.owner.execute(sql`
      update variant set bundle_settings = ${settings}::json
      where merchant_id = ${ctx.merchantId} and product_id = ${damaged.id}`);
    const outer = await create(damaged.id);
    expect(await refusals(part.id, outer.id)).toMatchObject(refused);
    expect(await refusals(outer.id, damaged.id, part.id)).toBeUndefined();
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
