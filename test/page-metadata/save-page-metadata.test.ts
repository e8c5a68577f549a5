import { type SQL, sql } from 'drizzle-orm';
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

  it('stays deleted if `deleted` is null', async () => {
    const { id, metaData } = await created('deleted');
    const slug = metaData['slug'];
    for (const deleted of [true, null]) {
      const saved = await save(mutation, { ...members, id, name: 'deleted', metaData: { slug, deleted } });
      expect(saved.metaData).toMatchObject({ deleted: true });
    }
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

describe.each<[string, string, SQL, object]>([
  ['saveProduct', 'listProduct', sql`product (merchant_id, name, type)`, { type: 'PHYSICAL', variants: [] }],
  ['saveCategory', 'listCategory', sql`category (merchant_id, name)`, {}],
  ['saveProductBrand', 'listProductBrand', sql`product_brand (merchant_id, name)`, {}],
])('a record without metadata, which plain SQL has inserted: %s', (mutation, query, into, members) => {
  async function inserted(): Promise<{ read: () => Promise<Saved>; input: object }> {
    const own = await createContext(database.db);
    ctx = own;
    const type = mutation === 'saveProduct' ? sql`, 'PHYSICAL'` : sql``;
    await database.db.execute(sql`insert into ${into} values (${own.merchantId}, 'By SQL'${type})`);
    const read = async () => {
      const { data } = await server.call(own, query, {});
      const listed = data![query] as Saved[] | { data: Saved[] };
      return (Array.isArray(listed) ? listed : listed.data)[0]!;
    };
    return { read, input: { ...members, id: (await read()).id, name: 'By SQL' } };
  }

  it.each<[string, object]>([
    ['is left out', {}],
    ['is sent back as null', { metaData: null }],
  ])('is not changed by a save in which it %s', async (_, metaData) => {
    const { read, input } = await inserted();
    const before = await read();
    expect(before.metaData).toBeNull();
    await save(mutation, { ...input, ...metaData });
    expect(await read()).toEqual(before);
  });

  it('gets the metadata that is sent', async () => {
    const { read, input } = await inserted();
    await save(mutation, { ...input, metaData: { slug: 'by-sql', pageTitle: 'Title' } });
    expect((await read()).metaData).toMatchObject({ slug: 'by-sql', pageTitle: 'Title' });
  });
});

it('of a product without metadata is not changed by an empty patch, and gets a slug from its name by a title', async () => {
  const own = await createContext(database.db);
  const [row] = await database.db.execute<{ id: string }>(
    sql`insert into product (merchant_id, name, type) values (${own.merchantId}, 'By SQL', 'PHYSICAL') returning id`,
  );
  const patched = async (patch: object): Promise<Saved> =>
    (await server.call(own, 'updateProduct', { id: row!.id, patch })).data!['updateProduct'] as Saved;
  expect(await patched({})).toMatchObject({ metaData: null, version: 1 });
  expect(await patched({ metaData: null })).toMatchObject({ metaData: null, version: 1 });
  expect(await patched({ metaData: { pageTitle: 'Title' } })).toMatchObject({
    metaData: { slug: 'by-sql' },
    version: 2,
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
