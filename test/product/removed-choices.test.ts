import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { ON_NODES, rowsRead } from '../support/rows-read.ts';
import { sentBack } from '../support/sent-back.ts';

type Choice = { id: string; name: string; colorCode: string | null; deleted: boolean };
type Saved = { id: string; updatedAt: number; values: Choice[]; options: Choice[]; variantValueIds: string[] };
type SavedProduct = Saved & { productVariantTypes: Saved[]; version: number };

/** Values of a type that products use, and others. A merchant can remove any number of them. */
const USED = 1_000;
const REMOVED = 14_000;

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

async function answer<Result = Saved>(operation: string, variables: object): Promise<Result> {
  const { data, errors } = await server.call(ctx, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Result;
}

const named = (choices: Choice[]) => choices.map(({ name, deleted }) => `${name}${deleted ? ' (removed)' : ''}`);

describe.each([
  ['values', 'saveVariantType', 'listVariantType', { selectionType: 'choice' }],
  ['options', 'saveProductAttribute', 'listProductAttribute', { type: 'CHOICE' }],
] as const)('removed %s', (member, save, list, members) => {
  const saveList = async (entries: object[], stored?: Saved): Promise<Saved> =>
    await answer(save, { input: { ...members, name: newId(), ...(stored && { id: stored.id }), [member]: entries } });
  const read = async (id: string, more: object = {}): Promise<Saved> =>
    (await answer<Saved[]>(list, { id: { eq: id }, ...more }))[0]!;

  it(`are read with their names by ${list} with includeDeleted, behind the others, and not without`, async () => {
    const saved = await saveList([{ name: 'S', colorCode: '#111' }, { name: 'M' }, { name: 'L' }]);
    const [s, m] = saved[member];
    await saveList([{ name: 'L' }, { id: m!.id, name: 'Medium' }], saved);
    expect(named((await read(saved.id))[member])).toEqual(['L', 'Medium']);
    const all = await read(saved.id, { includeDeleted: true });
    expect(named(all[member])).toEqual(['L', 'Medium', 'S (removed)']);
    expect(all[member][2]).toMatchObject({ id: s!.id, colorCode: '#111' });
    if (member === 'values') expect(all.variantValueIds).toEqual(all.values.slice(0, 2).map(({ id }) => id));
  });

  it('stay removed when they are sent back as they were read, which changes nothing', async () => {
    const saved = await saveList([{ name: 'S' }, { name: 'M' }, { name: 'L' }]);
    await saveList([saved[member][2]!, saved[member][0]!], saved);
    const before = await read(saved.id, { includeDeleted: true });
    await answer(save, { input: sentBack(save, before) });
    expect(await read(saved.id, { includeDeleted: true })).toEqual(before);
  });

  // Names of values are unique in their type.
  it.runIf(member === 'options')('of one name are restored in their order, and none is new', async () => {
    const entries = [{ name: 'S' }, { name: 'S' }, { name: 'M' }];
    const saved = await saveList(entries);
    await saveList([], saved);
    expect((await saveList(entries, saved))[member]).toMatchObject(saved[member].map(({ id }) => ({ id })));
    expect((await read(saved.id, { includeDeleted: true }))[member]).toHaveLength(3);
  });

  it('are restored with their id and members when their name is added again', async () => {
    const saved = await saveList([{ name: 'S', colorCode: '#111' }, { name: 'M' }]);
    const [s, m] = saved[member];
    const without = await saveList([{ id: m!.id, name: 'M' }], saved);
    const again = await saveList([{ name: 'M' }, { name: 'S' }, { name: 'New' }], saved);
    expect(again[member].slice(0, 2)).toMatchObject([
      { id: m!.id, name: 'M' },
      { id: s!.id, name: 'S', colorCode: '#111', deleted: false },
    ]);
    expect(again.updatedAt).toBeGreaterThan(without.updatedAt);
    expect(named((await read(saved.id, { includeDeleted: true }))[member])).toEqual(['M', 'S', 'New']);
  });

  it('do not become more when the list is saved without ids several times', async () => {
    const entries = [{ name: 'S' }, { name: 'M' }];
    const saved = await saveList(entries);
    for (let time = 0; time < 3; time++) await saveList(entries, saved);
    await saveList([{ name: 'M' }, { name: 'gone', deleted: true }], saved);
    expect(named((await read(saved.id, { includeDeleted: true }))[member])).toEqual(['M', 'S (removed)']);
  });

  it('do not prevent that another entry is renamed to their name', async () => {
    const saved = await saveList([{ name: 'S' }, { name: 'M' }]);
    const [, m] = saved[member];
    await saveList([{ id: m!.id, name: 'S' }], saved);
    expect(named((await read(saved.id, { includeDeleted: true }))[member])).toEqual(['S', 'S (removed)']);
    const [first, second] = (await saveList([{ id: m!.id, name: 'M' }, { name: 'S' }], saved))[member];
    expect([first!.id, second!.id]).toEqual([m!.id, saved[member][0]!.id]);
  });

  it("of another merchant's record are never read or restored", async () => {
    const saved = await saveList([{ name: 'S' }, { name: 'M' }]);
    await saveList([{ name: 'M' }], saved);
    const stranger = await createContext(database.db);
    const { data } = await server.call(stranger, list, { includeDeleted: true });
    expect(data![list]).toEqual([]);
    const input = { ...members, name: newId(), [member]: [{ name: 'S' }] };
    const foreign = (await server.call(stranger, save, { input })).data![save] as Saved;
    expect(foreign[member][0]!.id).not.toBe(saved[member][0]!.id);
  });
});

describe('a product', () => {
  const typeOf = async (...names: string[]): Promise<Saved> =>
    await answer('saveVariantType', {
      input: { name: newId(), selectionType: 'choice', values: names.map((name) => ({ name })) },
    });
  const productOf = async (type: Saved, ...values: Choice[]) => await productUsing(type, values, ...values);
  /** A product that uses the values, with a variant of each of some. */
  const productUsing = async (type: Saved, values: Choice[], ...varying: Choice[]): Promise<SavedProduct> => {
    const variantValueIds = values.map(({ id }) => id);
    return await answer('saveProduct', {
      input: {
        name: newId(),
        type: 'PHYSICAL',
        productVariantTypes: [{ order: 1, variantTypeId: type.id, variantValueIds }],
        variants: varying.map(({ id }) => ({
          prices: [{ sellPrice: 1 }],
          variantValueIds: [{ variantTypeId: type.id, variantValueId: id }],
        })),
      },
    });
  };
  const read = async ({ id }: SavedProduct) =>
    (await answer<{ data: SavedProduct[] }>('listProduct', { id: { eq: id } })).data[0]!;

  it('shows the removed values that it uses, and no others', async () => {
    const type = await typeOf('S', 'M', 'L', 'XL');
    const [s, m, l, xl] = type.values;
    const [first, second] = [await productOf(type, s!, m!), await productOf(type, l!)];
    await answer('saveVariantType', {
      input: { ...sentBack('saveVariantType', type), values: [{ id: xl!.id, name: 'XL' }] },
    });
    const shown = async (product: SavedProduct) => named((await read(product)).productVariantTypes[0]!.values);
    expect(await shown(first)).toEqual(['XL', 'S (removed)', 'M (removed)']);
    expect(await shown(second)).toEqual(['XL', 'L (removed)']);
  });

  it('shows a thousand removed values that it uses on a page of ten, without reading the others', async ({ skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const names = (round: string) => Array.from({ length: USED }, (_, index) => `${round} ${index}`);
    const type = await typeOf(...names('used'));
    const products: SavedProduct[] = [];
    for (let count = 0; count < 10; count++) products.push(await productUsing(type, type.values, type.values[0]!));
    await answer('saveVariantType', {
      input: { ...sentBack('saveVariantType', type), values: names('last').map((name) => ({ name })) },
    });
    await withoutTriggers(
      database.owner,
      async (owner) =>
        await owner.execute(sql`
          insert into variant_value (merchant_id, id, variant_type_id, name, position, deleted)
          select ${ctx.merchantId}, uuid_v7(), ${type.id}, 'removed ' || n, n, true
          from generate_series(1, ${REMOVED}::int) as n`),
    );
    await database.owner.execute(sql`analyze variant_value`);
    const query = `query ($ids: [String!]) {
      listProduct(id: {in: $ids}) { data { productVariantTypes { values { id deleted } } } } }`;
    let page: { data: SavedProduct[] } | undefined;
    const read = await rowsRead(database, 'variant_value', async () => {
      const { data, errors } = await server.query(ctx, query, { ids: products.map(({ id }) => id) });
      expect(errors).toBeUndefined();
      page = data!['listProduct'] as { data: SavedProduct[] };
    });
    for (const { productVariantTypes } of page!.data)
      expect(productVariantTypes[0]!.values.filter(({ deleted }) => deleted)).toHaveLength(USED);
    console.log(`${read} values read`);
    expect(read).toBeLessThan(REMOVED);
  });

  it('shows them in a selection of single members, and on pages with other products', async () => {
    const type = await typeOf('S', 'M');
    const [s, m] = type.values;
    const products = [await productOf(type, s!), await productOf(type, m!)];
    await answer('saveVariantType', { input: { ...sentBack('saveVariantType', type), values: [{ name: 'X' }] } });
    const { listProduct } = await import('../../src/product/listProduct.ts');
    const { data } = await listProduct(
      ctx,
      { id: { in: products.map(({ id }) => id) }, sort: 'createdAt' },
      { data: { productVariantTypes: { values: { name: {} } } } },
    );
    expect(data).toEqual(['S', 'M'].map((name) => ({ productVariantTypes: [{ values: [{ name: 'X' }, { name }] }] })));
  });

  it('is unchanged when it is sent back with a removed value', async () => {
    const type = await typeOf('S', 'M');
    const product = await productOf(type, ...type.values);
    await answer('saveVariantType', { input: { ...sentBack('saveVariantType', type), values: [type.values[1]] } });
    const before = await read(product);
    await answer('saveProduct', { input: sentBack('saveProduct', before) });
    expect(await read(product)).toEqual(before);
  });

  it('has its value back when a bulk request names the removed value', async () => {
    const type = await typeOf('S', 'M');
    const product = await productOf(type, ...type.values);
    const [s] = type.values;
    const without = await answer('saveVariantType', {
      input: { ...sentBack('saveVariantType', type), values: [type.values[1]] },
    });
    const [{ name: variantTypeName }] = (await answer<{ name: string }[]>('listVariantType', {
      id: { eq: type.id },
    })) as [{ name: string }];
    const values = [{ name: 'S' }, { name: 'M' }, { name: 'L' }];
    const entry = {
      name: newId(),
      type: 'PHYSICAL',
      categories: [],
      productVariantTypes: [{ order: 1, variantTypeName, variantValues: values }],
      variants: [{ prices: [{ sellPrice: 1 }], variantValues: [{ variantTypeName, variantValueName: 'S' }] }],
    };
    await answer('bulkUpdateProducts', { input: [entry] });
    const [again] = await answer<Saved[]>('listVariantType', { id: { eq: type.id }, includeDeleted: true });
    expect(named(again!.values)).toEqual(['M', 'S', 'L']);
    expect(again!.values[1]!.id).toBe(s!.id);
    expect(again!.updatedAt).toBeGreaterThan(without.updatedAt);
    expect(named((await read(product)).productVariantTypes[0]!.values)).toEqual(['M', 'S', 'L']);
  });
});

describe('a choice whose record was deleted', () => {
  const variants = [{ prices: [{ sellPrice: 1 }] }];

  it('is refused for a new use, and stays where it is stored', async () => {
    const options = [{ name: 'Cotton' }];
    const attribute = await answer('saveProductAttribute', { input: { name: newId(), type: 'CHOICE', options } });
    const attributes = [{ productAttributeOptionId: attribute.options[0]!.id }];
    const input = { name: 'Shirt', type: 'PHYSICAL', variants, attributes };
    const saved = await answer<SavedProduct>('saveProduct', { input });
    await answer('deleteProductAttributeList', { idList: [attribute.id] });
    const { errors } = await server.call(ctx, 'saveProduct', { input });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', ids: [attribute.options[0]!.id] } }]);
    const again = await answer<SavedProduct>('saveProduct', { input: sentBack('saveProduct', saved) });
    expect(again).toMatchObject({ version: saved.version, attributes });
  });

  it('has no facet', async () => {
    const values = [{ name: 'S' }];
    const type = await answer('saveVariantType', { input: { name: newId(), selectionType: 'choice', values } });
    const variantValueIds = [{ variantTypeId: type.id, variantValueId: type.values[0]!.id }];
    const productVariantTypes = [{ order: 0, variantTypeId: type.id, variantValueIds: [type.values[0]!.id] }];
    const input = {
      name: 'Shirt',
      type: 'PHYSICAL',
      productVariantTypes,
      variants: [{ ...variants[0], variantValueIds }],
    };
    await answer('saveProduct', { input });
    const facetIds = async (): Promise<string[]> => {
      type Facets = { facets: { field: string; values: { id: string }[] }[] };
      const { facets } = await answer<Facets>('searchProducts', { input: {} });
      return facets.find(({ field }) => field === 'VARIANT_VALUE')!.values.map(({ id }) => id);
    };
    expect(await facetIds()).toContain(type.values[0]!.id);
    await answer('deleteVariantTypeList', { idList: [type.id] });
    expect(await facetIds()).not.toContain(type.values[0]!.id);
  });
});
