import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

type Product = { id: string; sourceId: string; version: number; updatedAt: number; metaData: { slug: string } };
type Slugs = Record<string, string>;
type Member = { path: string; before: unknown; after: unknown };

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Saves products with their slugs, by `sourceId`, in one request. */
async function save(slugs: Slugs): Promise<void> {
  const input = Object.entries(slugs).map(([sourceId, slug]) => ({
    sourceId,
    name: sourceId,
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [],
    metaData: { slug },
  }));
  const { errors } = await server.call(ctx, 'bulkUpdateProducts', { input });
  expect(errors).toBeUndefined();
}

async function products(): Promise<Product[]> {
  const { data } = await server.call(ctx, 'listProduct', {});
  return (data!['listProduct'] as { data: Product[] }).data;
}

async function storedSlugs(): Promise<Slugs> {
  return Object.fromEntries((await products()).map(({ sourceId, metaData }) => [sourceId, metaData.slug]));
}

describe('the slugs of a bulk request', () => {
  it.each<[string, Slugs, Slugs]>([
    ['make room for a new product', { old: 'summer' }, { old: 'summer-2025', new: 'summer' }],
    ['make room for an earlier entry', { old: 'summer' }, { new: 'summer', old: 'summer-2025' }],
    ['make room for a stored product', { a: 'summer', b: 'cap' }, { a: 'summer-2025', b: 'summer' }],
    ['are swapped', { a: 'hat', b: 'cap' }, { a: 'cap', b: 'hat' }],
    ['change hands in a circle', { a: 'x', b: 'y', c: 'z' }, { a: 'y', b: 'z', c: 'x' }],
    ['move along a chain', { a: 'tee-01', b: 'tee-02', c: 'tee-03' }, { a: 'tee-02', b: 'tee-03', c: 'tee-04' }],
    ['move back along a chain', { a: 'x', b: 'x-2', c: 'x-3' }, { a: 'y', b: 'x', c: 'x-2' }],
    ['replace a number when its slug is given up', { a: 'hat', b: 'hat-2' }, { b: 'hat', a: 'hat-2' }],
  ])('%s, and change nothing when they are sent again', async (_, before, after) => {
    await save(before);
    await save(after);
    expect(await storedSlugs()).toEqual(after);
    const saved = await products();
    await save(after);
    expect(await products()).toEqual(saved);
  });

  it('get numbers where another record keeps the slug, which change nothing when they are sent again', async () => {
    await save({ kept: 'x', a: 'hat', b: 'cap' });
    const sent = { a: 'x', b: 'hat', c: 'hat' };
    await save(sent);
    expect(await storedSlugs()).toEqual({ kept: 'x', a: 'x-2', b: 'hat-2', c: 'hat' });
    const saved = await products();
    await save(sent);
    expect(await products()).toEqual(saved);
  });

  it.each<[string, Slugs, Slugs]>([
    ['stored', { a: 'y', b: 'x', c: 'x' }, { a: 'y', b: 'x', c: 'x-3' }],
    ['new', { a: 'y', b: 'x', c: 'x', n: 'x' }, { a: 'y', b: 'x-2', c: 'x-3', n: 'x' }],
  ])('are given up to one %s product, while others that want them keep their numbers', async (_, sent, after) => {
    await save({ a: 'x', b: 'x-2', c: 'x-3' });
    await save(sent);
    expect(await storedSlugs()).toEqual(after);
    const saved = await products();
    await save(sent);
    expect(await products()).toEqual(saved);
  });

  it('keep their numbers while the owner of the slug only keeps its number too', async () => {
    const numbered = { kept: 'x', a: 'x-2', b: 'x-2-2' };
    await save(numbered);
    await save({ b: 'x-2', a: 'x' });
    expect(await storedSlugs()).toEqual(numbered);
  });

  it('are recorded with the slug before and after the request', async () => {
    await save({ a: 'hat', b: 'cap' });
    await save({ a: 'cap', b: 'hat' });
    const [{ id }] = (await products()).filter(({ sourceId }) => sourceId === 'a') as [Product];
    const { data } = await server.call(ctx, 'listChange', { recordId: { eq: id } });
    const [last] = (data!['listChange'] as { data: { members: Member[] }[] }).data;
    expect(last!.members).toMatchObject([{ path: 'metaData.slug', before: '"hat"', after: '"cap"' }]);
  });
});
