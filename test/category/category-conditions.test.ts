import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

const WITH_VALUES = { selectionType: 'choice', values: [{ name: 'S' }] };
const WITH_OPTIONS = { type: 'CHOICE', options: [{ name: 'Cotton' }] };

type Saved = { id: string; values: { id: string }[]; options: { id: string }[]; updatedAt: number };
type Ids = Record<string, string>;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let own: Ids;
let foreign: Ids;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  own = await createRecords(ctx);
  foreign = await createRecords(await createContext(database.db));
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function create(by: Context, type: string, members: object = {}): Promise<Saved> {
  const { data } = await api.call(by, `save${type}`, { input: { name: newId(), ...members } });
  return data![`save${type}`] as Saved;
}

/** A value of a deleted variant type and an option of a deleted attribute. */
async function createDeletedWholes(by: Context): Promise<Ids> {
  const type = await create(by, 'VariantType', WITH_VALUES);
  const attribute = await create(by, 'ProductAttribute', WITH_OPTIONS);
  await api.call(by, 'deleteVariantTypeList', { idList: [type.id] });
  await api.call(by, 'deleteProductAttributeList', { idList: [attribute.id] });
  return { valueOfGone: type.values[0]!.id, optionOfGone: attribute.options[0]!.id };
}

async function createRecords(by: Context): Promise<Ids> {
  const type = await create(by, 'VariantType', WITH_VALUES);
  const attribute = await create(by, 'ProductAttribute', WITH_OPTIONS);
  const gone = await create(by, 'ProductTag', { deleted: true });
  return {
    category: (await create(by, 'Category')).id,
    brand: (await create(by, 'ProductBrand')).id,
    tag: (await create(by, 'ProductTag')).id,
    gone: gone.id,
    ...(await createDeletedWholes(by)),
    type: type.id,
    value: type.values[0]!.id,
    attribute: attribute.id,
    option: attribute.options[0]!.id,
  };
}

/** Replaces `{tag}` by the id of the merchant's tag, and `{foreign}` by the id of another merchant's tag. */
const filled = (text: string): string =>
  text.replaceAll('{foreign}', foreign['tag']!).replace(/\{(\w+)\}/g, (all, name: string) => own[name] ?? all);

async function save(conditionType: string, valueList: string[], members: object = {}) {
  const conditions = [
    { conditionType: 'PRODUCT_NAME', valueList: [] },
    { conditionType, valueList },
  ];
  return await api.call(ctx, 'saveCategory', {
    input: { name: 'Automated', isAutomated: true, conditions, ...members },
  });
}

describe('a condition of a category', () => {
  it.each([
    ['CATEGORY', ['{category}']],
    ['CREATED_AT', ['2026-01-31', '1767225600000', '2026-01-31T10:00:00Z', '30', '', '2026-01-01 - 2026-02-01']],
    [
      'CREATED_AT',
      [
        '1767225600000,1769817600000',
        '1767225600000.5',
        '2026-01-31 10:00:00,5',
        '{"from":1767225600000,"to":null}',
        '31.01.2026',
      ],
    ],
    ['DISCOUNTED_PRODUCTS', ['true', 'FALSE', '1', '20', '']],
    ['DISCOUNTED_PRODUCTS', []],
    [
      'PRICE_RANGE',
      [
        '10',
        '99.95',
        '',
        '10-20',
        '10 - 20',
        '10:',
        '-20',
        '10,5',
        '0;100',
        '10 20',
        '1500 2000',
        '[10,20]',
        '{"min":1}',
      ],
    ],
    ['PRODUCT_ATTRIBUTE', ['{attribute}', '{option}', '{attribute}:{option}', '{attribute}=wool']],
    ['PRODUCT_BRAND', ['{brand}', ' {brand} ']],
    ['PRODUCT_NAME', ['shirt', ' ', '12', '']],
    ['PRODUCT_TAG', ['{tag}']],
    ['VARIANT_VALUE', ['{value}', '{type}:{value}']],
  ])('of the type %s may have the values %o', async (type, texts) => {
    const valueList = texts.map(filled);
    const { data, errors } = await save(type, valueList);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ saveCategory: { conditions: [{}, { conditionType: type, valueList }] } });
  });

  it.each([
    ['CREATED_AT', ['x', 'yesterday', '2026-02-30', '2026-01-01 - x', '1,2,3'], 'must be a date, such as 2026-01-31'],
    ['DISCOUNTED_PRODUCTS', ['x', 'maybe'], 'must be true or false'],
    [
      'PRICE_RANGE',
      ['x', 'cheap', '10 - x', '1-2-3', '-', '{}', '1 000', '12\u00A0000', '1 000 000,50', '10 200'],
      'must be a price or a range of prices, such as 10-20',
    ],
  ])('of the type %s may not have the values %o', async (type, texts, message) => {
    const { data, errors } = await save(type, texts.map(filled));
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'ARGUMENT_VALIDATION_ERROR',
          issues: texts.map((_, index) => ({ path: ['input', 'conditions', 1, 'valueList', index], message })),
        },
      },
    ]);
  });

  it.each([
    ['CATEGORY', 'Category', ['x', newId(), '{tag}', '{foreign}', '']],
    ['PRODUCT_ATTRIBUTE', 'ProductAttribute', ['x', newId(), '{tag}', 'wool', '{optionOfGone}']],
    ['PRODUCT_BRAND', 'ProductBrand', ['x', newId(), '{category}']],
    ['PRODUCT_TAG', 'ProductTag', ['x', newId(), '{foreign}', '{gone}']],
    ['VARIANT_VALUE', 'VariantValue', ['x', newId(), '{option}', '{valueOfGone}']],
  ])('of the type %s may not name an unknown %s: %o', async (conditionType, type, texts) => {
    const ids = texts.map(filled);
    const { data, errors } = await save(conditionType, ids);
    expect(data).toBeNull();
    const path = ['input', 'conditions', 1, 'valueList', 0];
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', type, ids, path } }]);
  });

  it.each([
    ['PRODUCT_ATTRIBUTE', '{attribute}', 'ProductAttribute'],
    ['VARIANT_VALUE', '{type}', 'VariantValue'],
  ])('of the type %s may not name an unknown record together with a known one', async (conditionType, known, type) => {
    const id = newId();
    const { errors } = await save(conditionType, [known, `${known}:${id}`].map(filled));
    const path = ['input', 'conditions', 1, 'valueList', 1];
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', type, ids: [id], path } }]);
  });

  it('gets the same answer for the id of another merchant and for an unknown one', async () => {
    const unknown = newId();
    const texts = await Promise.all(
      [foreign['brand']!, unknown].map(async (id) => {
        const { errors } = await save('PRODUCT_BRAND', [id]);
        return JSON.stringify(errors).replaceAll(id, 'id');
      }),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('NOT_FOUND');
  });

  it('on campaigns is refused, since the service has none, unless it is stored', async () => {
    const issues = [
      {
        path: ['input', 'conditions', 1, 'conditionType'],
        message: 'must not be CAMPAIGN: the service has no campaigns',
      },
    ];
    const code = 'ARGUMENT_VALIDATION_ERROR';
    expect((await save('CAMPAIGN', ['x'])).errors).toMatchObject([{ extensions: { code, issues } }]);
    expect((await save('CAMPAIGN', ['x'], { isAutomated: false })).errors).toHaveLength(1);
    const { data } = await save('PRODUCT_NAME', ['x']);
    const { id } = data!.saveCategory as Saved;
    const stored = [{ conditionType: 'CAMPAIGN', method: null, valueList: ['x'] }];
    await database.db.execute(sql`
      update category set conditions = ${JSON.stringify(stored)}::json
      where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect((await save('CAMPAIGN', ['x'], { id })).errors).toBeUndefined();
  });

  it('is refused for the 1,001st automated category, which can be saved when another is not automated any more', async () => {
    const merchant = await createContext(database.db);
    const call = async (members: object) =>
      await api.call(merchant, 'saveCategory', { input: { name: 'Automated', ...members } });
    const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['mug'] }];
    const { data } = await call({ isAutomated: true, conditions });
    const first = data!.saveCategory as Saved;
    const { data: other } = await call({ isAutomated: true, conditions: [] });
    const { id } = other!.saveCategory as Saved;
    await database.db.execute(sql`
      insert into category (merchant_id, name, is_automated, conditions)
      select ${merchant.merchantId}, 'category ' || n, true, ${JSON.stringify(conditions)}::json from generate_series(2, 1000) as n`);
    const path = ['input', 'isAutomated'];
    const message = 'must not be true for more than 1000 categories of the merchant';
    const refused = [{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path, message }] } }];
    expect((await call({ isAutomated: true, conditions })).errors).toMatchObject(refused);
    expect((await call({ id, conditions })).errors).toMatchObject(refused);
    expect((await call({ conditions })).errors).toBeUndefined();
    expect((await call({ id: first.id, conditions: [...conditions, ...conditions] })).errors).toBeUndefined();
    expect((await call({ id: first.id, deleted: true })).errors).toBeUndefined();
    expect((await call({ id, conditions })).errors).toBeUndefined();
    expect((await call({ id: first.id, deleted: false })).errors).toMatchObject(refused);
  });

  it('of the 1,000th automated category is accepted again if its deletion is reverted, and of the 1,001st is not', async () => {
    const merchant = await createContext(database.db);
    const { merchantId } = merchant;
    const call = async (name: string, variables: object) => await api.call(merchant, name, variables);
    const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['mug'] }];
    const last = await create(merchant, 'Category', { isAutomated: true, conditions });
    await database.db.execute(sql`
      insert into category (merchant_id, name, is_automated, conditions)
      select ${merchantId}, 'category ' || n, true, ${JSON.stringify(conditions)}::json from generate_series(2, 1000) as n`);
    await call('deleteCategoryList', { idList: [last.id] });
    const { data } = await call('listChange', { recordId: { eq: last.id }, pagination: { limit: 1 } });
    const [{ changeSet }] = (data!.listChange as { data: [{ changeSet: { id: string } }] }).data;
    const revert = async () => await call('revertChanges', { input: { changeSetId: changeSet.id } });
    expect(await revert()).toMatchObject({ data: { revertChanges: { recordCount: 1 } } });
    await call('deleteCategoryList', { idList: [last.id] });
    await create(merchant, 'Category', { isAutomated: true, conditions });
    const message = 'must not be true for more than 1000 categories of the merchant';
    expect((await revert()).errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ message }] } },
    ]);
  });

  it('may have 2,000 values, counted over all conditions', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
    const condition = (count: number) => ({ conditionType: 'PRODUCT_NAME', valueList: texts(count) });
    const saved = async (counts: number[]) =>
      await api.call(ctx, 'saveCategory', { input: { name: 'Many', conditions: counts.map(condition) } });
    expect((await saved([1_000, 1_000])).errors).toBeUndefined();
    const issues = [{ path: ['input', 'conditions'], message: 'must have at most 2000 values together' }];
    expect((await saved([1_000, 1_000, 1])).errors).toMatchObject([{ extensions: { issues } }]);
  });

  it('that is stored may be sent back, also if its records are deleted', async () => {
    const tag = (await create(ctx, 'ProductTag')).id;
    const { data } = await save('PRODUCT_TAG', [tag]);
    const { id } = data!.saveCategory as Saved;
    await api.call(ctx, 'deleteProductTagList', { idList: [tag] });
    expect((await save('PRODUCT_TAG', [tag], { id })).errors).toBeUndefined();
    expect((await save('PRODUCT_TAG', [` ${tag} `], { id })).errors).toBeUndefined();
    expect((await save('PRODUCT_TAG', [tag, own['gone']!], { id })).errors).toMatchObject([
      {
        extensions: { code: 'NOT_FOUND', ids: [own['gone']!], path: ['input', 'conditions', 1, 'valueList', 1] },
      },
    ]);
    const stored = [{ conditionType: 'PRICE_RANGE', method: null, valueList: ['cheap'] }];
    await database.db.execute(sql`
      update category set conditions = ${JSON.stringify(stored)}::json
      where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect((await save('PRICE_RANGE', ['cheap'], { id })).errors).toBeUndefined();
    expect((await save('CREATED_AT', ['cheap'], { id })).errors).toHaveLength(1);
  });
});
