import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
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

type Answer = { data: any; errors?: { message: string; extensions: Record<string, any> }[] };

async function send(name: string, variables: object): Promise<Answer> {
  return (await server.call(ctx, name, variables)) as Answer;
}
async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await send(name, variables);
  expect(errors).toBeUndefined();
  return data[name];
}

/** The change set of the newest change of a record. */
async function lastSet(recordId: string): Promise<string> {
  const { data } = await call('listChange', { recordId: { eq: recordId }, pagination: { limit: 1 } });
  return data[0].changeSet.id;
}

const revert = async (input: object) => await call('revertChanges', { input });
const refused = async (input: object) => (await send('revertChanges', { input })).errors![0]!;

async function saveProduct(members: object = {}) {
  const price = { sellPrice: 10, discountPrice: 8 };
  const input = { name: 'Shirt', type: 'PHYSICAL', variants: [{ sku: 'S-1', prices: [price] }], ...members };
  return await call('saveProduct', { input });
}

async function product(id: string): Promise<any> {
  const { data } = await call('listProduct', { id: { eq: id }, includeDeleted: true });
  return data[0];
}

describe('revertChanges', () => {
  it('gives the changed members their former values, and no others', async () => {
    const { id } = await saveProduct({ description: 'old' });
    await call('updateProduct', { id, patch: { name: 'Shirt 2', description: null } });
    const setId = await lastSet(id);
    await call('updateProduct', { id, patch: { weight: 3 } });
    const result = await revert({ changeSetId: setId });
    expect(result).toEqual({
      changeSetId: expect.any(String),
      recordCount: 1,
      bulkOperationId: null,
      erasedCustomerIds: [],
      records: [
        {
          recordType: 'PRODUCT',
          recordId: id,
          members: [
            { path: 'description', before: null, after: '"old"' },
            { path: 'name', before: '"Shirt 2"', after: '"Shirt"' },
          ],
        },
      ],
    });
    expect(await product(id)).toMatchObject({ name: 'Shirt', description: 'old', weight: 3, version: 4 });
    const { data } = await call('listChange', { changeSetId: { eq: result.changeSetId } });
    expect(data).toMatchObject([
      { kind: 'UPDATED', changeSet: { operation: 'revertChanges', revertsChangeSetId: setId } },
    ]);
  });

  it('changes nothing when it is repeated, and can be reverted itself', async () => {
    const { id } = await saveProduct();
    await call('updateProduct', { id, patch: { name: 'Shirt 2' } });
    const setId = await lastSet(id);
    const first = await revert({ changeSetId: setId });
    const { version } = await product(id);
    expect(await revert({ changeSetId: setId })).toEqual({
      changeSetId: null,
      recordCount: 0,
      bulkOperationId: null,
      erasedCustomerIds: [],
      records: [],
    });
    expect((await product(id)).version).toBe(version);
    await revert({ changeSetId: first.changeSetId });
    expect((await product(id)).name).toBe('Shirt 2');
  });

  it('names no change set if the merchant has no history any more', async () => {
    const { id } = await saveProduct();
    await call('updateProduct', { id, patch: { name: 'Shirt 2' } });
    const setId = await lastSet(id);
    await keepHistory(ctx, false);
    expect(await revert({ changeSetId: setId })).toMatchObject({ changeSetId: null, recordCount: 1 });
    expect((await product(id)).name).toBe('Shirt');
  });

  it('refuses members that have changed since, and names them', async () => {
    const { id, variants } = await saveProduct();
    const other = await saveProduct({ name: 'Other' });
    const prices = [{ priceListId: null, sellPrice: 20 }];
    await call('updateProduct', { id, patch: { name: 'A', variants: [{ id: variants[0].id, prices }] } });
    const setId = await lastSet(id);
    await call('updateProduct', {
      id,
      patch: { name: 'B', variants: [{ id: variants[0].id, prices: [{ priceListId: null, sellPrice: 21 }] }] },
    });
    const { message, extensions } = await refused({ changeSetId: setId });
    expect(extensions).toMatchObject({
      code: 'CONFLICT',
      conflictCount: 2,
      conflicts: expect.arrayContaining([
        { recordType: 'PRODUCT', recordId: id, path: 'name', expected: '"A"', found: '"B"' },
        {
          recordType: 'PRODUCT',
          recordId: id,
          path: `variants.${variants[0].id}.prices.base.sellPrice`,
          expected: '20',
          found: '21',
        },
      ]),
    });
    expect(message).toContain('and 1 more');
    expect((await product(id)).name).toBe('B');
    expect((await product(other.id)).name).toBe('Other');
  });

  it('takes back one member of a price and leaves a later change of another one', async () => {
    const { id, variants } = await saveProduct();
    const patch = async (price: object) =>
      await call('updateProduct', {
        id,
        patch: { variants: [{ id: variants[0].id, prices: [{ priceListId: null, ...price }] }] },
      });
    await patch({ sellPrice: 20 });
    const setId = await lastSet(id);
    await patch({ buyPrice: 5 });
    await revert({ changeSetId: setId });
    expect((await product(id)).variants[0].prices).toMatchObject([{ sellPrice: 10, discountPrice: 8, buyPrice: 5 }]);
  });

  it('marks created records as deleted, and restores deleted ones', async () => {
    const { id } = await saveProduct();
    const created = await lastSet(id);
    await call('deleteProductList', { idList: [id] });
    await revert({ changeSetId: await lastSet(id) });
    expect((await product(id)).deleted).toBe(false);
    await revert({ changeSetId: created });
    expect((await product(id)).deleted).toBe(true);
  });

  it('leaves a record alone that was created and has been deleted since, with its parts', async () => {
    const { id } = await saveProduct();
    const creation = await lastSet(id);
    await call('deleteProductList', { idList: [id] });
    const deletion = await lastSet(id);
    const before = await product(id);
    expect(await revert({ changeSetId: creation })).toMatchObject({ changeSetId: null, recordCount: 0 });
    expect(await product(id)).toEqual(before);
    await revert({ changeSetId: deletion });
    expect(before.metaData.slug).toBe('shirt');
    const shown = { deleted: false, metaData: before.metaData, variants: [{ sku: 'S-1', deleted: false }] };
    expect(await product(id)).toMatchObject(shown);
  });

  it('marks a created product as deleted though a later change gave it a discount and a price of another list', async () => {
    const list = await call('savePriceList', { input: { name: 'Sale', currency: 'EUR' } });
    const { id, variants } = await saveProduct({ variants: [{ prices: [{ sellPrice: 9 }] }] });
    const creation = await lastSet(id);
    const prices = [{ priceListId: null, discountPrice: 8 }];
    await call('updateProduct', { id, patch: { variants: [{ id: variants[0].id, prices }] } });
    const row = { productId: id, variantId: variants[0].id, price: { sellPrice: 7 } };
    await call('saveVariantPrices', { input: { priceListId: list.id, variantPriceInputs: [row] } });
    await revert({ changeSetId: creation });
    expect(await product(id)).toMatchObject({ deleted: true, variants: [] });
  });

  it('deletes a created record without its page, which a save that restores the record does not restore', async () => {
    const { id } = await saveProduct();
    const creation = await lastSet(id);
    const { metaData } = await product(id);
    await revert({ changeSetId: creation });
    expect(await product(id)).toMatchObject({ deleted: true, metaData: { deleted: false } });
    await call('updateProduct', { id, patch: { deleted: false } });
    expect(await product(id)).toMatchObject({ deleted: false, metaData });
  });

  it('inserts what plain SQL has removed, with all parts', async () => {
    const { id, createdAt } = await saveProduct({ metaData: { slug: 'shirt', pageTitle: 'Title' } });
    const before = await product(id);
    await database.owner.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect(await product(id)).toBeUndefined();
    await revert({ changeSetId: await lastSet(id) });
    const { updatedAt: _, version: __, variants, metaData, ...members } = await product(id);
    expect(members).toMatchObject({ id, createdAt, name: 'Shirt' });
    // While it was removed it had no price, so that its reduction began once more.
    const { lowestPriceBeforeReduction: _lowest, ...price } = before.variants[0].prices[0];
    expect(variants[0].prices).toMatchObject([price]);
    expect(variants[0].id).toEqual(before.variants[0].id);
    expect(metaData?.slug ?? 'shirt').toBe('shirt');
  });

  it('refuses a reference to a record that was deleted since', async () => {
    const brand = await call('saveProductBrand', { input: { name: 'Brand' } });
    const { id } = await saveProduct({ brandId: brand.id });
    await call('updateProduct', { id, patch: { brandId: null } });
    const setId = await lastSet(id);
    await call('deleteProductBrandList', { idList: [brand.id] });
    expect(await refused({ changeSetId: setId })).toMatchObject({
      extensions: { code: 'NOT_FOUND', type: 'ProductBrand', ids: [brand.id], path: ['PRODUCT', id, 'brandId'] },
    });
  });

  it('restores a deleted variant with its own prices of a list that was deleted since, and gives no other such prices', async () => {
    const list = await call('savePriceList', { input: { name: 'List', currency: 'EUR' } });
    const withPrice = { sku: 'S-2', prices: [{ sellPrice: 9 }, { sellPrice: 7, priceListId: list.id }] };
    const { id, variants } = await saveProduct({ variants: [{ sku: 'S-1', prices: [{ sellPrice: 9 }] }, withPrice] });
    const patch = async (variant: object) => {
      await call('updateProduct', { id, patch: { variants: [{ id: variants[1].id, ...variant }] } });
      return await lastSet(id);
    };
    const sold = await patch({ deleted: true, prices: [{ sellPrice: 5, priceListId: list.id }] });
    await call('deletePriceListList', { idList: [list.id] });
    await revert({ changeSetId: sold });
    const shown = { sku: 'S-2', deleted: false, prices: [{ sellPrice: 9 }, { sellPrice: 7, priceListId: list.id }] };
    expect((await product(id)).variants).toMatchObject([{ sku: 'S-1' }, shown]);
    const removal = { productId: id, variantId: variants[1].id, price: { sellPrice: 7 }, deleted: true };
    await call('saveVariantPrices', { input: { priceListId: list.id, variantPriceInputs: [removal] } });
    expect((await refused({ changeSetId: await lastSet(id) })).extensions).toMatchObject({
      code: 'NOT_FOUND',
      type: 'PriceList',
      ids: [list.id],
    });
  });

  it('gives a price back whose list was deleted only to a product that has another price of it', async () => {
    const list = await call('savePriceList', { input: { name: 'Sale', currency: 'EUR' } });
    const price = { sellPrice: 7, priceListId: list.id };
    const variant = { prices: [{ sellPrice: 9 }, price] };
    const [kept, lost] = [
      await saveProduct({ variants: [variant, variant] }),
      await saveProduct({ variants: [variant] }),
    ];
    const rows = [kept, lost].map(({ id, variants }) => ({
      productId: id,
      variantId: variants[0].id,
      price,
      deleted: true,
    }));
    await call('saveVariantPrices', { input: { priceListId: list.id, variantPriceInputs: rows } });
    const removed = await lastSet(lost.id);
    await call('deletePriceListList', { idList: [list.id] });
    expect((await refused({ changeSetId: removed })).extensions).toMatchObject({
      code: 'NOT_FOUND',
      type: 'PriceList',
      ids: [list.id],
      path: ['PRODUCT', lost.id, 'variants', 0, 'prices', 1, 'priceListId'],
    });
    expect((await product(kept.id)).variants[0].prices).toHaveLength(1);
  });

  it('gives a price that was removed since no discount, and refuses to take back a price that got a discount since', async () => {
    const list = await call('savePriceList', { input: { name: 'Sale', currency: 'EUR' } });
    const { id, variants } = await saveProduct({ variants: [{ prices: [{ sellPrice: 9 }] }] });
    const setPrice = async (price: object, deleted = false) => {
      const row = { productId: id, variantId: variants[0].id, price, deleted };
      await call('saveVariantPrices', { input: { priceListId: list.id, variantPriceInputs: [row] } });
      return await lastSet(id);
    };
    const base = [{ sellPrice: 9, priceListId: null }];
    await setPrice({ sellPrice: 8, discountPrice: 7 });
    const undiscounted = await setPrice({ sellPrice: 8, discountPrice: null });
    await setPrice({ sellPrice: 8 }, true);
    await revert({ changeSetId: undiscounted });
    expect((await product(id)).variants[0].prices).toMatchObject(base);
    const created = await setPrice({ sellPrice: 8 });
    const discounted = await setPrice({ sellPrice: 8, discountPrice: 7 });
    const path = `variants.${variants[0].id}.prices.${list.id}.discountPrice`;
    expect((await refused({ changeSetId: created })).extensions['conflicts']).toMatchObject([
      { path, expected: null, found: '7' },
    ]);
    await revert({ changeSetId: discounted });
    await revert({ changeSetId: created });
    expect((await product(id)).variants[0].prices).toMatchObject(base);
  });

  it('refuses a name that another record has taken', async () => {
    const { id } = await call('saveProductBrand', { input: { name: 'A' } });
    await call('saveProductBrand', { input: { id, name: 'B' } });
    const setId = await lastSet(id);
    await call('saveProductBrand', { input: { name: 'A' } });
    expect((await refused({ changeSetId: setId })).extensions['code']).toBe('CONFLICT');
  });

  it('refuses to leave a variant type without a value', async () => {
    const save = async (members: object, ...names: string[]) => {
      const values = names.map((name) => ({ name }));
      const input = { name: 'Size', selectionType: 'choice', ...members, values };
      return await call('saveVariantType', { input });
    };
    const { id } = await save({}, 'S');
    const creation = await lastSet(id);
    await save({ id }, 'M', 'S');
    const added = await lastSet(id);
    await save({ id }, 'M');
    const removed = await lastSet(id);
    const { message, extensions } = await refused({ changeSetId: added });
    const path = ['PRODUCT_VARIANT_TYPE', id, 'values'];
    expect(extensions).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path }] });
    expect(message).toContain('must have at least one value that is not deleted');
    // With a value that is restored it may be taken back, and together with the variant type too.
    await revert({ changeSetId: removed });
    await revert({ changeSetId: added });
    expect(await call('listVariantType', { id: { eq: id } })).toMatchObject([{ values: [{ name: 'S' }] }]);
    await revert({ changeSetId: creation });
  });

  it.each([
    ['variant type', 'saveVariantType', 'values', 'PRODUCT_VARIANT_TYPE', { selectionType: 'choice' }],
    ['attribute', 'saveProductAttribute', 'options', 'PRODUCT_ATTRIBUTE', { type: 'CHOICE' }],
  ])('refuses to leave more than 1,000 values of a record: %s', async (_, operation, member, recordType, members) => {
    const save = async (id: string | undefined, list: readonly string[]) => {
      const input = { id, name: 'Size', ...members, [member]: list.map((name) => ({ name })) };
      return (await call(operation, { input })).id as string;
    };
    const names = Array.from({ length: 1500 }, (_, index) => `N${index}`);
    const id = await save(undefined, names.slice(0, 1000));
    await save(id, names.slice(500, 1000));
    const removal = await lastSet(id);
    await save(id, names.slice(500));
    const addition = await lastSet(id);
    const { extensions } = await refused({ changeSetId: removal });
    expect(extensions).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [{ path: [recordType, id, member], message: 'must have at most 1000 entries' }],
    });
    await revert({ changeSetId: addition });
    expect((await revert({ changeSetId: removal })).recordCount).toBe(1);
  });

  it('makes no list longer that plain SQL has made too long', async () => {
    const values = [{ name: 'S' }];
    const { id } = await call('saveVariantType', { input: { name: 'Size', selectionType: 'choice', values } });
    await database.db.execute(sql`
      insert into variant_value (merchant_id, variant_type_id, position, name)
      select ${ctx.merchantId}, ${id}, n, 'V' || n from generate_series(1, 1200) as n`);
    await database.db.execute(sql`
      update variant_value set deleted = true where merchant_id = ${ctx.merchantId} and name in ('V1', 'V2')`);
    const removal = await lastSet(id);
    await database.db.execute(sql`
      update variant_value set color_code = '#ffffff' where merchant_id = ${ctx.merchantId} and name = 'V3'`);
    await revert({ changeSetId: await lastSet(id) });
    expect((await refused({ changeSetId: removal })).extensions['code']).toBe('ARGUMENT_VALIDATION_ERROR');
  });

  it('swaps names and slugs back that one transaction has swapped', async () => {
    const a = await call('saveProductBrand', { input: { name: 'A' } });
    const b = await call('saveProductBrand', { input: { name: 'B' } });
    await database.owner.transaction(async (transaction) => {
      const rename = (id: string, name: string) =>
        sql`update product_brand set name = ${name} where merchant_id = ${ctx.merchantId} and id = ${id}`;
      await transaction.execute(rename(a.id, 'C'));
      await transaction.execute(rename(b.id, 'A'));
      await transaction.execute(rename(a.id, 'B'));
    });
    expect((await revert({ changeSetId: await lastSet(a.id) })).recordCount).toBe(2);
    const { data } = await call('listProductBrand', { id: { eq: a.id } }).then((list) => ({ data: list.data ?? list }));
    expect(data[0].name).toBe('A');
  });

  it.each([
    ['brand', 'product'],
    ['brand', 'category'],
    ['category', 'product'],
    ['product', 'brand'],
  ] as const)('gives a slug back to a %s that a %s has taken in the same request', async (giver, taker) => {
    const save = {
      brand: (slug: string, id = '') =>
        `saveProductBrand(input: { ${id} name: "B", metaData: { slug: "${slug}" } }) { id }`,
      category: (slug: string, id = '') =>
        `saveCategory(input: { ${id} name: "C", metaData: { slug: "${slug}" } }) { id }`,
      product: (slug: string, id?: string) =>
        id
          ? `updateProduct(${id} patch: { metaData: { slug: "${slug}" } }) { id }`
          : `saveProduct(input: { name: "P", type: PHYSICAL, metaData: { slug: "${slug}" }, variants: [{ prices: [{ sellPrice: 1 }] }] }) { id }`,
    };
    const send = async (from: string, to: string) => {
      const { data, errors } = (await server.query(ctx, `mutation { from: ${from} to: ${to} }`)) as Answer;
      expect(errors).toBeUndefined();
      return [data.from.id, data.to.id] as [string, string];
    };
    const [from, to] = await send(save[giver]('sun'), save[taker]('moon'));
    await send(save[giver]('star', `id: "${from}",`), save[taker]('sun', `id: "${to}",`));
    await revert({ changeSetId: await lastSet(to) });
    const slugs = await database.db.execute<{ id: string; slug: string }>(sql`
      select target_id as "id", slug from html_meta_data where merchant_id = ${ctx.merchantId}`);
    expect(Object.fromEntries(slugs.map(({ id, slug }) => [id, slug]))).toEqual({ [from]: 'sun', [to]: 'moon' });
  });

  it('takes back that a value of a variant type was deleted and another one got its name', async () => {
    const save = async (members: object) =>
      await call('saveVariantType', { input: { name: 'Size', selectionType: 'choice', ...members } });
    const { id, values } = await save({ values: [{ name: 'S' }, { name: 'Small' }] });
    await save({ id, values: [{ id: values[1].id, name: 'S' }] });
    await revert({ changeSetId: await lastSet(id) });
    expect(await call('listVariantType', { id: { eq: id } })).toMatchObject([
      { values: [{ name: 'S' }, { name: 'Small' }] },
    ]);
  });

  it('takes back that a tag was deleted and another one got its name in the same request', async () => {
    const a = await call('saveProductTag', { input: { name: 'A' } });
    const b = await call('saveProductTag', { input: { name: 'B' } });
    const { errors } = (await server.query(
      ctx,
      `mutation {
        deleteProductTagList(idList: ["${a.id}"])
        saveProductTag(input: { id: "${b.id}", name: "A" }) { id }
      }`,
    )) as Answer;
    expect(errors).toBeUndefined();
    await revert({ changeSetId: await lastSet(b.id) });
    const tags = (await call('listProductTag', {})) as { id: string; name: string }[];
    expect(Object.fromEntries(tags.map(({ id, name }) => [id, name]))).toEqual({ [a.id]: 'A', [b.id]: 'B' });
  });

  it('moves categories back with their subcategories, also if they have swapped their places', async () => {
    const save = async (input: object) => await call('saveCategory', { input });
    const a = await save({ name: 'A' });
    const b = await save({ name: 'B', parentId: a.id });
    const c = await save({ name: 'C', parentId: b.id });
    await save({ id: b.id, name: 'B', parentId: null });
    const sets = [await lastSet(b.id)];
    await save({ id: a.id, name: 'A', parentId: b.id });
    sets.push(await lastSet(a.id));
    const ids: string[] = [];
    for (const set of sets) {
      const { data } = await call('listChange', { changeSetId: { eq: set } });
      ids.push(...data.map(({ id }: { id: string }) => id));
    }
    await revert({ changeIds: ids });
    const rows = await database.db.execute<{ id: string; path: string }>(
      sql`select id, array_to_string(path, ' ') as path from category where merchant_id = ${ctx.merchantId}`,
    );
    const paths = new Map(rows.map(({ id, path }) => [id, path]));
    expect(paths.get(a.id)).toBe('');
    expect(paths.get(b.id)).toBe(a.id);
    expect(paths.get(c.id)).toBe(`${a.id} ${b.id}`);
  });

  it('takes all changes of a bulk operation back', async () => {
    const old = await saveProduct({ name: 'Old' });
    const empty = { type: 'PHYSICAL', categories: [], productVariantTypes: [] };
    const input = [
      {
        ...empty,
        id: old.id,
        name: 'Renamed',
        variants: [{ id: old.variants[0].id, sku: 'S-2', prices: [{ sellPrice: 1 }] }],
      },
      { ...empty, name: 'New', variants: [{ sku: 'N', prices: [{ sellPrice: 2 }] }] },
    ];
    const bulkOperationId = await call('bulkUpdateProducts', { input });
    const { records } = await revert({ bulkOperationId });
    expect(records).toHaveLength(2);
    expect(await product(old.id)).toMatchObject({ name: 'Old', variants: [{ sku: 'S-1' }], deleted: false });
    const { data } = await call('listProduct', {});
    expect(data).toHaveLength(1);
  });
});

describe('bad input of revertChanges', () => {
  const unknown = '01890000-0000-7000-8000-000000000000';
  it.each([
    [{}, 'ARGUMENT_VALIDATION_ERROR', 'exactly one'],
    [{ changeSetId: unknown, changeIds: [unknown] }, 'ARGUMENT_VALIDATION_ERROR', 'exactly one'],
    [{ changeIds: [] }, 'ARGUMENT_VALIDATION_ERROR', 'must not be empty'],
    [{ changeIds: [unknown] }, 'NOT_FOUND', unknown],
    [{ changeIds: ['x'] }, 'NOT_FOUND', 'x'],
    [{ changeSetId: 'x' }, 'NOT_FOUND', 'x'],
    [{ bulkOperationId: unknown }, 'NOT_FOUND', unknown],
  ])('refuses %j', async (input, code, text) => {
    const { message, extensions } = await refused(input);
    expect(extensions['code']).toBe(code);
    expect(message).toContain(text);
  });

  it('refuses changes of another merchant like unknown ones', async () => {
    const { id } = await saveProduct();
    const setId = await lastSet(id);
    ctx = await createContext(database.db);
    expect((await refused({ changeSetId: setId })).extensions['code']).toBe('NOT_FOUND');
  });

  it('refuses changes of webhooks', async () => {
    await call('saveWebhook', { input: { endpoint: 'https://example.com/', scopes: ['store/customer/created'] } });
    const { data } = await call('listChange', { recordType: 'WEBHOOK' });
    const { extensions, message } = await refused({ changeIds: [data[0].id] });
    expect(extensions['code']).toBe('ARGUMENT_VALIDATION_ERROR');
    expect(message).toContain('input.changeIds: must not have changes of WEBHOOK');
  });
});

describe('the scopes of revertChanges', () => {
  it('are the write scopes of all records', async () => {
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
    await call('saveCustomer', { input: { id, firstName: 'Augusta' } });
    const setId = await lastSet(id);
    const scopes = new Set(['write_products', 'read_customers'] as const);
    ctx = { ...ctx, session: { ...ctx.session, scopes } };
    expect((await refused({ changeSetId: setId })).extensions).toMatchObject({
      code: 'UNAUTHORIZED',
      requiredScope: 'write_customers',
    });
  });
});
