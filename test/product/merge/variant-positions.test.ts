import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';

type Read = { id: string; version: number; variants: { id: string; sku: string; updatedAt: number }[] };

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

async function lastSet(recordId: string): Promise<string> {
  const variables = { recordId: { eq: recordId }, pagination: { limit: 1 } };
  const { data } = await call<{ data: [{ changeSet: { id: string } }] }>('listChange', variables);
  return data[0].changeSet.id;
}

async function revertLast(recordId: string, ...later: string[]): Promise<void> {
  const changeSetId = await lastSet(recordId);
  await saveSkus(later, recordId);
  await call('revertChanges', { input: { changeSetId } });
}

/** Patches the variant with the sku. */
async function patchVariant(product: Read, sku: string, deleted: boolean): Promise<void> {
  const { id } = product.variants.find((one) => one.sku === sku)!;
  await call('updateProduct', { id: product.id, patch: { variants: [{ id, deleted }] } });
}

const times = async () => Object.fromEntries((await read()).variants.map(({ sku, updatedAt }) => [sku, updatedAt]));

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

it('moves the `updatedAt` of no other variant when one is deleted or restored', async () => {
  await saveSkus(['A', 'B', 'C']);
  const [product, { A: _, ...others }] = [await read(), await times()];
  await patchVariant(product, 'A', true);
  expect(await times()).toEqual(others);
  await patchVariant(product, 'A', false);
  expect(await shown()).toEqual(['B', 'C', 'A']);
  expect(await times()).toMatchObject(others);
});

it('moves the `updatedAt` of no other variant when one is moved to the end', async () => {
  const id = await saveSkus(['A', 'B', 'C']);
  const { A: _, ...others } = await times();
  await saveSkus(['B', 'C', 'A'], id);
  expect(await shown()).toEqual(['B', 'C', 'A']);
  expect(await times()).toMatchObject(others);
});

it('restores a deleted variant by a revert after another one was deleted too', async () => {
  await saveSkus(['A', 'B', 'C']);
  const product = await read();
  await patchVariant(product, 'A', true);
  const changeSetId = await lastSet(product.id);
  await patchVariant(product, 'B', true);
  await call('revertChanges', { input: { changeSetId } });
  expect(await shown()).toEqual(['A', 'C']);
});

it('returns deleted variants to their places by a revert after another one was added', async () => {
  const id = await saveSkus(['A', 'B', 'C', 'D']);
  await saveSkus(['C', 'D'], id);
  await revertLast(id, 'C', 'D', 'E');
  expect(await shown()).toEqual(['A', 'B', 'C', 'D', 'E']);
});
