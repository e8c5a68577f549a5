import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';

type Read = { id: string; version: number; variants: { id: string; sku: string }[] };

const prices = [{ sellPrice: 1 }];

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function call<Answer>(name: string, variables: object): Promise<Answer> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data![name] as Answer;
}
async function read(): Promise<Read> {
  return (await call<{ data: [Read] }>('listProduct', {})).data[0];
}
const shown = async () => (await read()).variants.map(({ sku }) => sku);

/** Saves the variants; those that the product has already keep their ids. */
async function saveSkus(skus: string[], id?: string): Promise<string> {
  const known = id === undefined ? [] : (await read()).variants;
  const variants = skus.map((sku) => ({ id: known.find((one) => one.sku === sku)?.id, sku, prices }));
  return (await call<Read>('saveProduct', { input: { id, name: 'Shirt', type: 'PHYSICAL', variants } })).id;
}

async function revertLast(recordId: string, ...later: string[]): Promise<void> {
  const variables = { recordId: { eq: recordId }, pagination: { limit: 1 } };
  const { data } = await call<{ data: [{ changeSet: { id: string } }] }>('listChange', variables);
  await saveSkus(later, recordId);
  await call('revertChanges', { input: { changeSetId: data[0].changeSet.id } });
}

async function expectNothingChangedBy(change: (product: Read) => Promise<unknown>): Promise<void> {
  const before = await read();
  await change(before);
  expect(await read()).toEqual(before);
}

const savings: [string, (product: Read) => Promise<unknown>][] = [
  ['saveProduct', async (product) => await call('saveProduct', { input: sentBack('saveProduct', product) })],
  ['an empty patch', async ({ id }) => await call('updateProduct', { id, patch: {} })],
];

describe.each(savings)('a product that is saved unchanged by %s', (_, save) => {
  it('keeps its version after a revert has taken away a variant in the middle', async () => {
    const id = await saveSkus(['S']);
    await saveSkus(['S', 'M'], id);
    await revertLast(id, 'S', 'M', 'L');
    expect(await shown()).toEqual(['S', 'L']);
    await expectNothingChangedBy(save);
  });

  it('keeps its version after a revert has returned a variant', async () => {
    const id = await saveSkus(['A', 'B', 'C']);
    await saveSkus(['A', 'C'], id);
    await revertLast(id, 'A', 'C', 'D');
    expect((await shown()).toSorted()).toEqual(['A', 'B', 'C', 'D']);
    await expectNothingChangedBy(save);
  });

  it('keeps its version and the order of its variants if they have equal positions', async () => {
    await saveSkus(['A', 'B', 'C', 'D']);
    for (const sku of ['D', 'C', 'A', 'B'])
      await database.db.execute(sql`
        update variant set position = 2147483647 where merchant_id = ${ctx.merchantId} and sku = ${sku}`);
    expect(await shown()).toEqual(['A', 'B', 'C', 'D']);
    await expectNothingChangedBy(save);
  });
});

it('gives variants with equal positions the order in which they are sent', async () => {
  const id = await saveSkus(['A', 'B', 'C']);
  await database.db.execute(sql`update variant set position = 2147483647 where merchant_id = ${ctx.merchantId}`);
  await saveSkus(['C', 'A', 'D', 'B'], id);
  expect(await shown()).toEqual(['C', 'A', 'D', 'B']);
});

it('keeps the version of a product whose deleted variant is deleted again', async () => {
  const id = await saveSkus(['A', 'B']);
  const deleted = (await read()).variants[0]!.id;
  await saveSkus(['B'], id);
  await saveSkus(['B', 'C'], id);
  const before = await read();
  await call('updateProduct', { id, patch: { variants: [{ id: deleted, prices, deleted: true }] } });
  expect(await read()).toEqual(before);
});
