import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { type Place, places } from '../stock/places.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}

/** Two updates of a product in one request. Returns their change set. */
async function updateTwice(id: string, first: string, second: string): Promise<string> {
  const update = (alias: string, patch: string) => `${alias}: updateProduct(id: "${id}", patch: ${patch}) { id }`;
  const { errors } = (await server.query(ctx, `mutation { ${update('a', first)} ${update('b', second)} }`)) as any;
  expect(errors).toBeUndefined();
  return (await changesOf(id))[0].changeSet.id;
}

async function changesOf(recordId: string): Promise<any[]> {
  return (await call('listChange', { recordId: { eq: recordId } })).data;
}

async function saveProduct(prices: object[] = [{ sellPrice: 10 }]): Promise<any> {
  return await call('saveProduct', { input: { name: 'A', type: 'PHYSICAL', variants: [{ prices }] } });
}

async function product(id: string): Promise<any> {
  return (await call('listProduct', { id: { eq: id } })).data[0];
}

const revert = async (input: object) => await call('revertChanges', { input });
const NOTHING = { changeSetId: null, recordCount: 0, bulkOperationId: null, records: [], erasedCustomerIds: [] };

it('changes nothing the second time if the changes have changed a member twice', async () => {
  const { id } = await saveProduct();
  const changeSetId = await updateTwice(id, '{name: "B"}', '{name: "C"}');
  expect(await revert({ changeSetId })).toMatchObject({ recordCount: 1 });
  expect(await product(id)).toMatchObject({ name: 'A' });
  expect(await revert({ changeSetId })).toEqual(NOTHING);
});

it('changes nothing the second time if single changes are taken back that have changed a member one after the other', async () => {
  const { id } = await saveProduct();
  await call('updateProduct', { id, patch: { name: 'B' } });
  await call('updateProduct', { id, patch: { name: 'C' } });
  const changeIds = (await changesOf(id)).slice(0, 2).map((change) => change.id);
  await revert({ changeIds });
  expect(await product(id)).toMatchObject({ name: 'A' });
  expect(await revert({ changeIds })).toEqual(NOTHING);
});

it('leaves a member that somebody gave its former value, and takes the others back', async () => {
  const { id } = await saveProduct();
  const changeSetId = await updateTwice(id, '{name: "B", weight: 1}', '{name: "C", weight: 2}');
  await call('updateProduct', { id, patch: { name: 'A' } });
  const { records } = await revert({ changeSetId });
  expect(records).toMatchObject([{ recordId: id, members: [{ path: 'weight', before: '2', after: null }] }]);
});

it('leaves a member with its former value also if others changed it between the changes', async () => {
  const { id } = await saveProduct();
  for (const name of ['B', 'A', 'C', 'A']) await call('updateProduct', { id, patch: { name } });
  const [, last, , first] = await changesOf(id);
  expect(await revert({ changeIds: [first.id, last.id] })).toEqual(NOTHING);
  expect(await product(id)).toMatchObject({ name: 'A' });
});

it('leaves a price with its former value beside another price that has changed since', async () => {
  const { id, variants } = await saveProduct([{ sellPrice: 10, discountPrice: 8 }]);
  const patch = (price: string) => `{variants: [{id: "${variants[0].id}", prices: [{${price}}]}]}`;
  const changeSetId = await updateTwice(id, patch('sellPrice: 20'), patch('sellPrice: 30, discountPrice: 9'));
  await updateTwice(id, patch('buyPrice: 5'), patch('sellPrice: 10'));
  const path = `variants.${variants[0].id}.prices.base.discountPrice`;
  expect(await revert({ changeSetId })).toMatchObject({ records: [{ members: [{ path, before: '9', after: '8' }] }] });
  expect((await product(id)).variants[0].prices).toMatchObject([{ sellPrice: 10, discountPrice: 8, buyPrice: 5 }]);
  expect(await revert({ changeSetId })).toEqual(NOTHING);
});

it('refuses a member that was changed twice and has another value since', async () => {
  const { id } = await saveProduct();
  const changeSetId = await updateTwice(id, '{name: "B"}', '{name: "C"}');
  await call('updateProduct', { id, patch: { name: 'D' } });
  const { errors } = (await server.call(ctx, 'revertChanges', { input: { changeSetId } })) as any;
  expect(errors[0].message).not.toContain('more');
  expect(errors[0].extensions).toMatchObject({
    code: 'CONFLICT',
    conflictCount: 1,
    conflicts: [{ recordType: 'PRODUCT', recordId: id, path: 'name', expected: '"C"', found: '"D"' }],
  });
});

it('refuses what two single changes did to a member of a variant and to a price once for each member', async () => {
  const { id, variants } = await saveProduct();
  const update = async (name: string, sellPrice: number) => {
    const variant = { id: variants[0].id, barcodeList: [name], prices: [{ sellPrice }] };
    await call('updateProduct', { id, patch: { name, variants: [variant] } });
  };
  for (const [name, sellPrice] of [
    ['B', 20],
    ['C', 30],
    ['D', 40],
  ] as const)
    await update(name, sellPrice);
  const changeIds = (await changesOf(id)).slice(1, 3).map((change) => change.id);
  const { errors } = (await server.call(ctx, 'revertChanges', { input: { changeIds } })) as any;
  const prefix = `variants.${variants[0].id}.`;
  const { conflictCount, conflicts } = errors[0].extensions;
  expect(conflictCount).toBe(3);
  expect(conflicts.map(({ path, expected, found }: any) => [path, expected, found]).toSorted()).toEqual([
    ['name', '"C"', '"D"'],
    [`${prefix}barcodeList`, '["C"]', '["D"]'],
    [`${prefix}prices.base.sellPrice`, '30', '40'],
  ]);
});

it('takes the differences of two movements back, also if the count is what it was between them', async () => {
  const [place] = (await places(ctx, 1)) as [Place];
  const add = async (...deltas: number[]) =>
    await call('adjustStock', { input: deltas.map((delta) => ({ ...place, delta, key: newId() })) });
  await add(5);
  const [{ changeSet }] = await add(3, 2);
  await add(-2);
  await revert({ changeSetId: changeSet.id });
  const { data } = await call('listProductStockLocation', {});
  expect(data).toMatchObject([{ stockCount: 3 }]);
});

it('leaves a count with its former value, to which single movements of several requests are taken back', async () => {
  const [place] = (await places(ctx, 1)) as [Place];
  const changeIds: string[] = [];
  for (const delta of [5, 3, 2])
    changeIds.push((await call('adjustStock', { input: [{ ...place, delta, key: newId() }] }))[0].id);
  await revert({ changeIds: changeIds.slice(1) });
  expect((await call('listProductStockLocation', {})).data).toMatchObject([{ stockCount: 5 }]);
  expect(await revert({ changeIds: changeIds.slice(1) })).toEqual(NOTHING);
});
