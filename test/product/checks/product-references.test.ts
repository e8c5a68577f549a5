import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

type Saved = { id: string; variants: { id: string }[] };

async function call<Type>(operation: string, variables: object): Promise<Type> {
  const { data, errors } = await api.call(ctx, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Type;
}

async function save(prices: object[]): Promise<Saved> {
  return await call('saveProduct', { input: { name: 'A', type: 'PHYSICAL', variants: [{ prices }] } });
}

it('a price list that was deleted stays with the products that have it, and comes to no other one', async () => {
  const base = { sellPrice: 5 };
  const { id: priceListId } = await call<Saved>('savePriceList', { input: { name: 'Sale', currency: 'EUR' } });
  const [one, other] = [await save([base, { sellPrice: 4, priceListId }]), await save([base])];
  await call('deletePriceListList', { idList: [priceListId] });

  const entry = ({ id, variants }: Saved) => ({
    id,
    name: 'B',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ id: variants[0]!.id, isActive: true, prices: [base, { sellPrice: 3, priceListId }] }],
  });
  const { errors } = await api.call(ctx, 'bulkUpdateProducts', { input: [entry(one), entry(other)] });
  const path = ['input', 1, 'variants', 0, 'prices', 1, 'priceListId'];
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', path, ids: [priceListId] } }]);
  await call('bulkUpdateProducts', { input: [entry(one)] });
});
