import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { places } from './places.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

it('stock counts may be sent back with all members as they were read, and then do not change', async () => {
  const ctx = await createContext(database.db);
  const save = async (rows: object[]) =>
    await api.call(ctx, 'saveProductStockLocations', { input: { productStockLocationInputs: rows } });
  const read = async () => {
    const { data } = await api.call(ctx, 'listProductStockLocation', {});
    return (data!['listProductStockLocation'] as { data: object[] }).data;
  };
  await save((await places(ctx, 2)).map((place) => ({ ...place, stockCount: 3 })));
  const before = await read();
  expect(before).toHaveLength(2);
  expect(await save(before)).toEqual({ data: { saveProductStockLocations: true } });
  expect(await read()).toEqual(before);
});
