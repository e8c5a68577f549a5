import { isInputObjectType, isNonNullType, getNullableType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';

/** Lists with a cursor that need no other argument. */
const lists = [...operations].flatMap(([name, { field }]) => {
  const type = getNullableType(field.type);
  const hasCursor = isObjectType(type) && 'endCursor' in type.getFields();
  const isPaged = field.args.some(({ name: own, type: input }) => own === 'pagination' && isInputObjectType(input));
  return hasCursor && isPaged && !field.args.some(({ type: input }) => isNonNullType(input)) ? [name] : [];
});

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  for (const name of ['ProductBrand', 'ProductTag', 'Category', 'PriceList', 'SalesChannel', 'Customer'])
    await save(name, {
      ...(name === 'Customer' ? { firstName: 'Ada' } : { name: 'One' }),
      ...(name === 'PriceList' ? { currency: 'EUR' } : {}),
      ...(name === 'SalesChannel' ? { type: 'APP' } : {}),
    });
  const place = await save('StockLocation', { name: 'Shop' });
  const variants = [{ prices: [{ sellPrice: 1 }] }];
  const product = await save('Product', { name: 'Shirt', type: 'PHYSICAL', variants });
  const counted = { productId: product.id, variantId: product.variants![0]!.id, stockLocationId: place.id };
  await server.call(ctx, 'adjustStock', { input: [{ ...counted, delta: 5, key: 'a' }] });
  const hold = { ...counted, quantity: 1, key: 'h', expiresAt: Date.now() + 60_000 };
  await server.call(ctx, 'holdStock', { input: [hold] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function save(type: string, input: object): Promise<{ id: string; variants?: { id: string }[] }> {
  const { data, errors } = await server.call(ctx, `save${type}`, { input });
  expect(errors).toBeUndefined();
  return data![`save${type}`] as { id: string; variants?: { id: string }[] };
}

async function list(name: string, after?: string) {
  return await server.query(
    ctx,
    `{ ${name}${after === undefined ? '' : `(pagination: { after: "${after}" })`} { count endCursor } }`,
  );
}

it('every list refuses the cursors of all other lists', async () => {
  const cursors = new Map<string, string>();
  for (const name of lists) {
    const { data, errors } = await list(name);
    expect(errors, name).toBeUndefined();
    const { endCursor } = data![name] as { endCursor: string | null };
    if (endCursor !== null) cursors.set(name, endCursor);
  }
  expect(cursors.size).toBeGreaterThanOrEqual(12);
  const accepted: string[] = [];
  for (const name of lists)
    for (const [other, cursor] of cursors) {
      const { errors } = await list(name, cursor);
      if (!errors) accepted.push(`${name} the cursor of ${other}`);
      else expect(errors[0]!.extensions).toMatchObject({ issues: [{ path: ['pagination', 'after'] }] });
    }
  expect(accepted).toEqual([...cursors.keys()].map((name) => `${name} the cursor of ${name}`));
});
