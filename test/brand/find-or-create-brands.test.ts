import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findOrCreateBrands } from '../../src/brand/find-or-create-brands.ts';
import { listProductBrand } from '../../src/brand/listProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

type Wanted = Parameters<typeof findOrCreateBrands>[1];
const find = async (...brands: Wanted) =>
  await inTransaction(ctx, async (ctx) => await findOrCreateBrands(ctx, brands));
const list = async () => await listProductBrand(ctx, {}, { name: {}, description: {}, imageId: {} });

describe('a brand that several entries name', () => {
  it.each<[string, Wanted]>([
    ['the first', [{ name: 'Acme', description: 'makers', imageId: 'x' }, { name: 'Acme' }]],
    ['the last', [{ name: 'Acme' }, { name: 'Acme', description: 'makers', imageId: 'x' }]],
    [
      'different ones',
      [
        { name: 'Acme', imageId: 'x' },
        { name: 'Acme', description: 'makers' },
      ],
    ],
    [
      'one beside nulls',
      [
        { name: 'Acme', description: 'makers', imageId: 'x' },
        { name: 'Acme', imageId: null },
      ],
    ],
  ])('is created with all members that an entry has: %s', async (_, brands) => {
    await find(...brands);
    expect(await list()).toEqual([{ name: 'Acme', description: 'makers', imageId: 'x' }]);
  });

  it('has the first value of a member', async () => {
    await find({ name: 'Acme', imageId: 'x' }, { name: 'Acme', imageId: 'y' });
    expect(await list()).toMatchObject([{ imageId: 'x' }]);
  });

  it('keeps its members if it exists', async () => {
    const created = await find({ name: 'Acme', imageId: 'x' });
    expect(await find({ name: 'Acme', imageId: 'y', description: 'makers' })).toEqual(created);
    expect(await list()).toEqual([{ name: 'Acme', description: null, imageId: 'x' }]);
  });
});
