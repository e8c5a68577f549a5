import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Saved = { id: string; metaData: Record<string, unknown>; version?: number; updatedAt: number };

const save = async (mutation: string, input: object): Promise<Saved> => {
  const { data, errors } = await server.call(ctx, mutation, { input });
  expect(errors).toBeUndefined();
  return data![mutation] as Saved;
};

const filled = {
  pageTitle: 'Title',
  description: 'Description',
  canonicals: ['https://shop.invalid/a'],
  disableIndex: true,
  redirectTo: 'https://shop.invalid/b',
  metadataOverrides: [{ pageTitle: 'p', description: 'd' }],
  translations: [{ locale: 'de', pageTitle: 'Titel' }],
};

describe.each<[string, object]>([
  ['saveProduct', { type: 'PHYSICAL', variants: [] }],
  ['saveCategory', {}],
  ['saveProductBrand', {}],
])('the metadata of %s', (mutation, members) => {
  const created = async (name: string): Promise<Saved> =>
    await save(mutation, { ...members, name, metaData: { ...filled, slug: newId() } });

  it('is cleared by null, except for its slug and id', async () => {
    const { id, metaData } = await created('cleared');
    const cleared = await save(mutation, { ...members, id, name: 'cleared', metaData: null });
    const nulls = Object.fromEntries(Object.keys(filled).map((member) => [member, null]));
    expect(cleared.metaData).toMatchObject({ ...nulls, id: metaData['id'], slug: metaData['slug'] });
  });

  it('stays if it is left out, and keeps the members that are left out', async () => {
    const { id, metaData } = await created('kept');
    expect((await save(mutation, { ...members, id, name: 'kept' })).metaData).toEqual(metaData);
    const slug = metaData['slug'];
    const retitled = await save(mutation, { ...members, id, name: 'kept', metaData: { slug, pageTitle: null } });
    expect(retitled.metaData).toMatchObject({
      ...filled,
      slug,
      pageTitle: null,
      translations: [{ pageTitle: 'Titel' }],
    });
  });
});

it('is cleared by null in a bulk request too', async () => {
  const { id, metaData } = await save('saveProduct', {
    name: 'Bulk',
    type: 'PHYSICAL',
    variants: [],
    metaData: { ...filled, slug: 'bulk' },
  });
  const entry = { id, name: 'Bulk', type: 'PHYSICAL', variants: [], categories: [], productVariantTypes: [] };
  const { errors } = await server.call(ctx, 'bulkUpdateProducts', { input: [{ ...entry, metaData: null }] });
  expect(errors).toBeUndefined();
  const { data } = await server.call(ctx, 'listProduct', { id: { eq: id } });
  const [read] = (data!['listProduct'] as { data: Saved[] }).data;
  expect(read!.metaData).toMatchObject({ id: metaData['id'], slug: 'bulk', pageTitle: null, canonicals: null });
});
