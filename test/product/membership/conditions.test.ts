import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { plainProduct } from '../products.ts';

type Condition = { type: string; values: string[]; method?: 'IN' | 'NOT_IN' };
type Saved = { id: string; values: { id: string }[]; options: { id: string }[] };

/** The type and values of a condition, and the first letters of the products that meet it. */
const SINGLE: [string, string[], string][] = [
  ['PRODUCT_BRAND', ['{acme}'], 'S'],
  ['PRODUCT_BRAND', ['{acme}', ' {zeta} '], 'SM'],
  ['PRODUCT_BRAND', [], ''],
  ['PRODUCT_TAG', ['{sale}'], 'SM'],
  ['PRODUCT_TAG', ['{new}', '{sale}'], 'SM'],
  ['CATEGORY', ['{kitchen}'], 'M'],
  ['PRODUCT_ATTRIBUTE', ['{material}'], 'S'],
  ['PRODUCT_ATTRIBUTE', ['{wool}'], 'S'],
  ['PRODUCT_ATTRIBUTE', ['of a variant: {linen}', '{care}=wet'], 'SB'],
  ['PRODUCT_ATTRIBUTE', ['{care}:{wool}'], ''],
  ['PRODUCT_ATTRIBUTE', ['{material}:{wool}'], 'S'],
  ['PRODUCT_ATTRIBUTE', ['{plain}'], 'M'],
  ['PRODUCT_ATTRIBUTE', ['{weave}:{twill}'], 'BM'],
  ['VARIANT_VALUE', ['{large}'], 'S'],
  ['VARIANT_VALUE', ['{size}'], 'S'],
  ['VARIANT_VALUE', ['{size}:{small}'], 'S'],
  ['PRODUCT_NAME', ['shirt'], 'S'],
  ['PRODUCT_NAME', [' mu ', 'OOK'], 'BM'],
  ['PRODUCT_NAME', ['100%'], 'S'],
  ['PRODUCT_NAME', ['%', '_'], 'S'],
  ['PRODUCT_NAME', ['％', '＿', '∖'], 'S'],
  ['PRODUCT_NAME', ['', ' '], ''],
  ['PRICE_RANGE', ['10'], 'S'],
  ['PRICE_RANGE', ['5,5'], 'M'],
  ['PRICE_RANGE', ['5-20'], 'SBM'],
  ['PRICE_RANGE', ['20-5'], 'SBM'],
  ['PRICE_RANGE', ['5', '20'], 'SBM'],
  ['PRICE_RANGE', ['20', ''], 'SB'],
  ['PRICE_RANGE', ['', '6'], 'M'],
  ['PRICE_RANGE', ['-6'], 'M'],
  ['PRICE_RANGE', ['11-19', '29:31'], 'S'],
  ['PRICE_RANGE', ['1', '2', '20'], 'B'],
  ['PRICE_RANGE', ['{"max":6}'], 'M'],
  ['PRICE_RANGE', ['{"min":20,"max":null}'], 'SB'],
  ['PRICE_RANGE', ['[20,25]'], 'B'],
  ['PRICE_RANGE', ['1e400-2e400'], ''],
  ['PRICE_RANGE', ['20-1e400'], 'SB'],
  ['PRICE_RANGE', ['-1e400'], 'SBM'],
  ['PRICE_RANGE', ['5.500000000000001'], 'M'],
  ['PRICE_RANGE', ['20.000000000000004', '29.999999999999996'], 'SB'],
  ['PRICE_RANGE', [''], 'SBM'],
  ['PRICE_RANGE', [], ''],
  ['CREATED_AT', ['2026-01-31'], 'S'],
  ['CREATED_AT', ['31.01.2026', ''], 'SBM'],
  ['CREATED_AT', ['', '2026-02-01'], 'SM'],
  ['CREATED_AT', ['2026-02-01 - 2026-03-01'], 'BM'],
  ['CREATED_AT', ['2026-02-01T00:00:00Z'], 'M'],
  ['CREATED_AT', ['2026-02-01T02:00+02:00'], 'M'],
  ['CREATED_AT', ['1769904000000', '1e13'], 'BM'],
  ['CREATED_AT', ['1769904000000,1e13'], 'BM'],
  ['CREATED_AT', ['1e12,1769904000000'], 'SM'],
  ['CREATED_AT', ['-1e300'], ''],
  ['CREATED_AT', ['1e300'], ''],
  ['CREATED_AT', ['2026-02-01', '9999-12-31'], 'BM'],
  ['CREATED_AT', ['2026-02-01', '9999-12-31T23:59:59.999Z'], 'BM'],
  ['CREATED_AT', ['2026-02-01', '1e300'], 'BM'],
  ['CREATED_AT', ['9999-12-31', ''], ''],
  ['CREATED_AT', ['0000-01-01', '2026-02-01'], 'SM'],
  ['CREATED_AT', ['0001-01-01T00:00+02:00 - 2026-01-31'], 'S'],
  ['CREATED_AT', ['', '0000-01-01'], ''],
  ['CREATED_AT', ['20260301'], 'B'],
  ['DISCOUNTED_PRODUCTS', ['true'], 'S'],
  ['DISCOUNTED_PRODUCTS', [], 'S'],
  ['DISCOUNTED_PRODUCTS', ['20'], 'S'],
  ['DISCOUNTED_PRODUCTS', ['FALSE'], 'BM'],
  ['DISCOUNTED_PRODUCTS', ['0', '1'], 'SBM'],
];

/** Enough ids that PostgreSQL uses a hash table. */
const unknown = Array.from({ length: 60 }, newId);
const LONG: [string, string[], string][] = [
  ['CATEGORY', ['{kitchen}', ...unknown], 'M'],
  ['PRODUCT_TAG', [...unknown, '{sale}'], 'SM'],
  ['PRODUCT_TAG', unknown, ''],
  ['PRODUCT_ATTRIBUTE', [...unknown, '{wool}'], 'S'],
  ['VARIANT_VALUE', ['{size}:{small}', ...unknown], 'S'],
];

const tagged: Condition = { type: 'PRODUCT_TAG', values: ['{sale}'] };
const cheap: Condition = { type: 'PRICE_RANGE', values: ['', '6'] };
const notAcme: Condition = { type: 'PRODUCT_BRAND', values: ['{acme}'], method: 'NOT_IN' };
const SEVERAL: [boolean | undefined, Condition[], string][] = [
  [true, [tagged, cheap], 'M'],
  [false, [tagged, cheap], 'MS'],
  [undefined, [tagged, cheap], 'MS'],
  [true, [tagged, notAcme], 'M'],
  [false, [cheap, notAcme], 'BM'],
];

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
const ids: Record<string, string> = {};
let shown: Awaited<ReturnType<typeof listProduct>> | undefined;

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  await createShop();
  await addIds('Blue SHÍRT 100%');
  await createCategories([
    ...[...SINGLE, ...LONG].flatMap(([type, values]) => [
      { conditions: [{ type, values }] },
      { conditions: [{ type, values, method: 'NOT_IN' as const }] },
    ]),
    ...SEVERAL.map(([all, conditions]) => ({ conditions, all })),
  ]);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function save(type: string, input: object): Promise<Saved> {
  const { data, errors } = await api.call(ctx, `save${type}`, { input });
  expect(errors).toBeUndefined();
  return data![`save${type}`] as Saved;
}

/** Saves the products shirt, mug, book and card. */
async function createShop(): Promise<void> {
  for (const name of ['acme', 'zeta']) ids[name] = (await save('ProductBrand', { name })).id;
  for (const name of ['sale', 'new']) ids[name] = (await save('ProductTag', { name })).id;
  for (const name of ['clothes', 'kitchen']) ids[name] = (await save('Category', { name })).id;
  const size = await save('VariantType', {
    name: 'Size',
    selectionType: 'choice',
    values: [{ name: 'S' }, { name: 'L' }],
  });
  const cloth = { name: 'Material', type: 'CHOICE', options: [{ name: 'Wool' }, { name: 'Linen' }] };
  const material = await save('ProductAttribute', cloth);
  const care = await save('ProductAttribute', { name: 'Care', type: 'TEXT' });
  const weaves = { name: 'Weave', type: 'MULTIPLE_CHOICE', options: [{ name: 'Plain' }, { name: 'Twill' }] };
  const weave = await save('ProductAttribute', weaves);
  Object.assign(ids, { weave: weave.id, plain: weave.options[0]!.id, twill: weave.options[1]!.id });
  Object.assign(ids, { size: size.id, small: size.values[0]!.id, large: size.values[1]!.id, care: care.id });
  Object.assign(ids, { material: material.id, wool: material.options[0]!.id, linen: material.options[1]!.id });
  const wool = { productAttributeId: material.id, productAttributeOptionId: ids['wool'] };
  const linen = { productAttributeId: material.id, productAttributeOptionId: ids['linen'] };
  const sized = (value: string) => [{ variantTypeId: size.id, variantValueId: ids[value] }];
  const product = (name: string, variants: object[], members: object = {}) =>
    save('Product', { name, type: 'PHYSICAL', variants, ...members });
  await product(
    'Blue SHÍRT 100%',
    [
      { prices: [{ sellPrice: 10 }], variantValueIds: sized('small') },
      { prices: [{ sellPrice: 30, discountPrice: 25 }], variantValueIds: sized('large'), attributes: [linen] },
    ],
    {
      brandId: ids['acme'],
      tagIds: [ids['sale'], ids['new']],
      categoryIds: [ids['clothes']],
      attributes: [wool],
      productVariantTypes: [{ order: 0, variantTypeId: size.id, variantValueIds: [ids['small'], ids['large']] }],
    },
  );
  const woven = (value: string) => [{ productAttributeId: weave.id, value }];
  await product('Mug', [{ prices: [{ sellPrice: 5.5, discountPrice: 6 }] }], {
    brandId: ids['zeta'],
    attributes: woven(`["${ids['plain']}", "${ids['twill']}"]`),
    tagIds: [ids['sale']],
    categoryIds: [ids['kitchen']],
  });
  await product('Book', [{ prices: [{ sellPrice: 20 }], attributes: woven(ids['twill']!.toUpperCase()) }], {
    attributes: [{ productAttributeId: care.id, value: 'dry' }],
  });
  await product('Card', [{ prices: [{ sellPrice: 0.25, discountPrice: 0.25 }] }], { deleted: true });
  for (const [name, time] of [
    ['Blue SHÍRT 100%', '2026-01-31T23:59:59.999Z'],
    ['Mug', '2026-02-01T00:00:00Z'],
    ['Book', '2026-03-01T12:30:00Z'],
  ])
    await database.db.execute(
      sql`update product set created_at = ${time} where merchant_id = ${ctx.merchantId} and name = ${name}`,
    );
}

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all);

/** Adds enough ids to a product that its ids are in a hash table. Those of other products are compared one by one. */
async function addIds(name: string): Promise<void> {
  const all = Array.from({ length: 250 }, newId);
  const json = (...members: string[]) =>
    JSON.stringify(all.map((id) => Object.fromEntries(members.map((member) => [member, id]))));
  await database.db.execute(sql`
    update product set tag_ids = tag_ids || ${`{${all.join()}}`}::uuid[], category_ids = category_ids || ${`{${all.join()}}`}::uuid[],
      attributes = (attributes::jsonb || ${json('productAttributeId')}::jsonb)::json
    where merchant_id = ${ctx.merchantId} and name = ${name}`);
  await database.db.execute(sql`
    update variant set variant_value_ids = (variant_value_ids::jsonb || ${json('variantTypeId', 'variantValueId')}::jsonb)::json
    where merchant_id = ${ctx.merchantId} and product_id in (
      select id from product where merchant_id = ${ctx.merchantId} and name = ${name})`);
}

/** Creates automated categories with one statement, and compares the products with all of them. */
async function createCategories(categories: { conditions: Condition[]; all?: boolean | undefined }[]): Promise<void> {
  const rows = categories.map(({ conditions, all }) => ({
    name: nameOf(conditions, all),
    should_match_all_conditions: all ?? null,
    conditions: conditions.map(({ type, values, method }) => ({
      conditionType: type,
      method,
      valueList: values.map(filled),
    })),
  }));
  await database.db.execute(sql`
    insert into category (merchant_id, name, is_automated, conditions, should_match_all_conditions)
    select ${ctx.merchantId}, name, true, conditions, should_match_all_conditions
    from json_to_recordset(${JSON.stringify(rows)}::json) as rows(name text, conditions json, should_match_all_conditions boolean)`);
  await updateMemberships(database, new AbortController().signal);
}

function nameOf(conditions: Condition[], all?: boolean): string {
  return JSON.stringify([conditions, all ?? null]);
}

/** The first letters of the products that have the category with these conditions. */
async function matched(conditions: Condition[], all?: boolean): Promise<string> {
  shown ??= await listProduct(ctx, { includeDeleted: true }, { data: { name: {}, categories: { name: {} } } });
  const name = nameOf(conditions, all);
  const products = shown.data.filter(({ categories }) => categories?.some((one) => one.name === name));
  return sorted(products.map((product) => (product.name.startsWith('Blue') ? 'S' : product.name[0]!)).join(''));
}

describe('a category has the products that meet its condition', () => {
  it.each(SINGLE)('%s %o', async (type, values, expected) => {
    const others = Array.from('BMS')
      .filter((letter) => !expected.includes(letter))
      .join('');
    expect(await matched([{ type, values }])).toBe(sorted(expected));
    expect(await matched([{ type, values, method: 'NOT_IN' }]), 'NOT_IN').toBe(others);
  });

  it.each(LONG)('%s among 60 values', async (type, values, expected) => {
    expect(await matched([{ type, values }])).toBe(sorted(expected));
    const others = Array.from('BMS').filter((letter) => !expected.includes(letter));
    expect(await matched([{ type, values, method: 'NOT_IN' }]), 'NOT_IN').toBe(others.join(''));
  });

  it.each(SEVERAL)('of several, with shouldMatchAllConditions %s: %o', async (all, conditions, expected) => {
    expect(await matched(conditions, all)).toBe(expected);
  });

  it('never, if plain SQL has stored an unknown condition', async () => {
    const stored = [
      { conditionType: 'CAMPAIGN', method: 'NOT_IN', valueList: [] },
      { conditionType: 'PRICE_RANGE', method: 'NOT_IN', valueList: 'x' },
      'text',
      { conditionType: 'PRICE_RANGE', valueList: ['cheap'] },
      null,
    ];
    const { id } = await save('Category', { name: 'Odd', isAutomated: true, conditions: [] });
    for (const conditions of [stored, { 0: 1 }, 'x', null])
      await database.db.execute(sql`
        update category set conditions = ${JSON.stringify(conditions)}::json
        where merchant_id = ${ctx.merchantId} and id = ${id}`);
    await database.db.execute(sql`
      update category set conditions = ${JSON.stringify(stored)}::json where merchant_id = ${ctx.merchantId} and id = ${id}`);
    await updateMemberships(database, new AbortController().signal);
    const { data } = await listProduct(ctx, { categoryIds: { eq: id } }, { data: { name: {} } });
    expect(data).toEqual([]);
  });

  it('of more values than a client may send, which plain SQL stored', async () => {
    await save('Product', plainProduct('Among many', null, 12_345));
    const { id } = await save('Category', { name: 'Many', isAutomated: true, conditions: [] });
    const valueList = ['Among many', ...Array.from({ length: 1_000 }, (_, n) => `none ${n}`)];
    const conditions = JSON.stringify([{ conditionType: 'PRODUCT_NAME', valueList }]);
    await database.db.execute(sql`
      update category set conditions = ${conditions}::json where merchant_id = ${ctx.merchantId} and id = ${id}`);
    await updateMemberships(database, new AbortController().signal);
    const { data } = await listProduct(ctx, { categoryIds: { eq: id } }, { data: { name: {} } });
    expect(data).toEqual([{ name: 'Among many' }]);
  });

  it('without the prices of a variant that plain SQL stored and PostgreSQL cannot read', async () => {
    const product = await save('Product', { ...plainProduct('Unreadable', null, 6) });
    await database.db.execute(sql`
      update variant set prices = '[{"sellPrice":6,"currency":"\\ud83d"}]'
      where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`);
    const conditions = [{ conditionType: 'PRICE_RANGE', valueList: ['5-7'] }];
    const { id } = await save('Category', { name: 'Cheap', isAutomated: true, conditions });
    await updateMemberships(database, new AbortController().signal);
    const { data } = await listProduct(ctx, { categoryIds: { eq: id } }, { data: { name: {} } });
    expect(data).toEqual([{ name: 'Mug' }]);
  });
});

function sorted(letters: string): string {
  return Array.from(letters).toSorted().join('');
}
