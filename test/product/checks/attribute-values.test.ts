import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { plainProduct } from '../products.ts';

const TABLE = {
  columns: [
    { id: 'c1', name: 'Chest' },
    { id: 'c2', name: 'Waist' },
  ],
  rows: [
    { id: 'r1', name: 'S' },
    { id: 'r2', name: 'M' },
    { id: ' r3', name: ' Gro\u0308ße ' },
  ],
};

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let foreignProduct: string;
let own: { product: string; gone: string };
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  const stranger = await createContext(database.db);
  foreignProduct = (await call<Record>('saveProduct', { input: plainProduct('Foreign') }, stranger)).id;
  own = { product: await plain(), gone: await plain() };
  await call('deleteProductList', { idList: [own.gone] });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

type OptionOf = { id: string; name: string };
type Record = { id: string; version: number; options: OptionOf[]; variants: { id: string }[] };

async function call<Type>(operation: string, variables: object, by = ctx): Promise<Type> {
  const { data, errors } = await api.call(by, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Type;
}

async function plain(): Promise<string> {
  return (await call<Record>('saveProduct', { input: plainProduct('Plain') })).id;
}

async function attribute(type: string, members: object = {}): Promise<Record> {
  return await call('saveProductAttribute', { input: { name: newId(), type, ...members } });
}

function product(attributes: object[], variantAttributes: object[] = []): object {
  return {
    name: 'Tee',
    type: 'PHYSICAL',
    attributes,
    variants: [{ prices: [{ sellPrice: 1 }], attributes: variantAttributes }],
  };
}

async function refused(input: object): Promise<unknown> {
  const { data, errors } = await api.call(ctx, 'saveProduct', { input });
  expect(data).toBeNull();
  expect(errors![0]!.extensions.code).toBe('ARGUMENT_VALIDATION_ERROR');
  return errors![0]!.extensions.issues;
}

const ONE_OPTION = 'must be the only option: an attribute of the type CHOICE has one';
const OPTIONS = { options: [{ name: 'Cotton', colorCode: '#ffffff' }, { name: 'Silk, raw' }, { name: 'Café' }] };

/** Valid values of each type. `{product}` is replaced by the id of a product of the merchant. */
const ACCEPTED: [type: string, values: (string | null)[], members?: object][] = [
  ['TEXT', ['x', '', null, ' ', '<b>', '12']],
  ['HTML', ['<p>x</p>', 'x', '<script>', '']],
  ['NUMERIC', ['0', '-1', '+1.5', '.5', '1.', '12,5', '1e3', '1E-7', ' 7 ', '12345678901234567890', '', null]],
  ['BOOLEAN', ['true', 'false', 'TRUE', ' False ', '1', '0', 'yes', 'no', '', null]],
  [
    'DATE',
    [
      '2026-01-31',
      '2024-02-29',
      '2026/1/31',
      '20260131',
      '31.01.2026',
      '31/1/2026',
      '01/31/2026',
      '2026-01-31T10:00:00.000Z',
      '1767225600000',
      '-86400000',
      '',
      null,
    ],
  ],
  [
    'DATETIME',
    [
      '2026-01-31T10:00:00Z',
      '2026-01-31T10:00:00.123+03:00',
      '2026-01-31T10:00+0300',
      '2026-01-31 10:00',
      '31.01.2026 10:00:59',
      '2026-01-31',
      '1767225600000',
      '',
      null,
    ],
  ],
  ['CHOICE', ['Cotton', 'cotton', ' Silk, raw ', 'Cafe\u0301', '', null], OPTIONS],
  ['CHOICE', ['anything, as it has no options']],
  ['MULTIPLE_CHOICE', ['Cotton', 'Cotton, Café', 'Silk, raw', '["Cotton","Silk, raw"]', '', null], OPTIONS],
  ['COLOR_THUMBNAIL_MULTIPLE_CHOICE', ['Cotton', '#fff', '#FFFFFF', '#a1b2c3d4', '', null], OPTIONS],
  ['PRODUCT', ['{product}', ' {product} ', '{product},{product}', '["{product}"]', '', null]],
  ['IMAGE', [newId(), 'https://images.example/a.png', `${newId()}, ${newId()}`, '', null]],
  ['IMAGE', ['https://images.example/w_300,h_200/a.png', 'https://images.example/a.png?x=1;y=2|3']],
  [
    'TABLE',
    [
      '[]',
      '{}',
      '[{"rowId":"r1","columnId":"c2","value":"88"}]',
      '{"cells":[{"rowId":"r1","colId":"c2","value":null}]}',
      '{"r1":{"c1":"88","c2":90},"r2":{}}',
      '{"c1":{"r1":"88"}}',
      '{"S":{"Chest":"88"}}',
      '{" Gro\u0308ße ":{"Chest":"88"}}',
      '[{"row":"Größe","columnId":"c2","value":"88"}]',
      '[{"rowId":" r3","columnId":"c2","value":"88"}]',
      '{"r1-c1":"88"}',
      '[["1","2"],["3"]]',
      '',
      null,
    ],
    { tableTemplate: TABLE },
  ],
];

/** Invalid values of each type. */
const REFUSED: [type: string, values: string[], message: RegExp, members?: object][] = [
  ['NUMERIC', ['x', '12 kg', '1,234.5', 'NaN', 'Infinity', '0x10', '--1', '1e', '٣'], /^must be a number/],
  ['BOOLEAN', ['maybe', '2', 'truefalse', 'null'], /^must be true or false/],
  ['DATE', ['x', 'tomorrow', '2026-02-30', '2026-13-01', '31.13.2026', '2026', '12', '10:00'], /^must be a date/],
  ['DATETIME', ['x', '2026-01-31T25:00:00Z', '2026-01-31T10:61', '2026-02-30T10:00:00Z', 'now'], /^must be a date/],
  ['CHOICE', ['Wool', 'Cotton, Café', newId()], /^must be an option/, OPTIONS],
  ['MULTIPLE_CHOICE', ['Wool', 'Cotton, Wool', '["Cotton","Wool"]'], /^must be .*options/, OPTIONS],
  ['COLOR_THUMBNAIL_MULTIPLE_CHOICE', ['Wool', '#ggg', '#12345'], /^must be .*color/, OPTIONS],
  ['PRODUCT', ['x', newId(), '{gone}', '{foreign}', '{product},x', 'Plain'], /^must be the id of a product/],
  ['IMAGE', ['a picture', 'javascript:alert(1)', '<img>'], /^must be .*image/],
  [
    'TABLE',
    [
      'x',
      '{',
      '1',
      'null',
      '"r1"',
      '[{"rowId":"r9","columnId":"c1","value":"1"}]',
      '[{"rowId":"r1","columnId":"c9","value":"1"}]',
      '[{"rowId":"c1","columnId":"r1","value":"1"}]',
      '{"r9":{"c1":"1"}}',
      '{"r1":{"c9":"1"}}',
      '{"r1":{"c1":"1"},"r9":{"c1":"1"}}',
      '{"r1":{"c1":"1","c9":"1"}}',
      '[["1","2","3"]]',
      '[[],[],[],[]]',
    ],
    /^must be JSON/,
    { tableTemplate: TABLE },
  ],
];

const filled = (text: string | null): string | null =>
  text &&
  text.replaceAll('{product}', own.product).replaceAll('{gone}', own.gone).replaceAll('{foreign}', foreignProduct);

describe('a value of an attribute', () => {
  it.each(ACCEPTED)('of the type %s may be %o', async (type, values, members) => {
    const { id, options } = await attribute(type, members);
    const texts = [...values, ...(options.length > 0 ? [options[0]!.id] : [])].map(filled);
    for (const value of texts) {
      const entry = { productAttributeId: id, value };
      const saved = await call<object>('saveProduct', { input: product([entry], [entry]) });
      expect(saved).toMatchObject({ attributes: [{ value }], variants: [{ attributes: [{ value }] }] });
    }
  });

  it.each(REFUSED)('of the type %s may not be %o', async (type, values, message, members) => {
    const { id } = await attribute(type, members);
    for (const text of values) {
      const entry = { productAttributeId: id, value: filled(text) };
      const issue = { message: expect.stringMatching(message) as string };
      expect(await refused(product([entry])), text).toEqual([{ ...issue, path: ['input', 'attributes', 0, 'value'] }]);
      expect(await refused(product([], [{ productAttributeId: id }, entry])), text).toEqual([
        { ...issue, path: ['input', 'variants', 0, 'attributes', 1, 'value'] },
      ]);
    }
  });

  it('has an issue for each invalid value', async () => {
    const [number, date] = [await attribute('NUMERIC'), await attribute('DATE')];
    const issues = await refused(
      product(
        [
          { productAttributeId: number.id, value: 'x' },
          { productAttributeId: number.id, value: '1' },
        ],
        [{ productAttributeId: date.id, value: 'x' }],
      ),
    );
    expect(issues).toMatchObject([
      { path: ['input', 'attributes', 0, 'value'] },
      { path: ['input', 'variants', 0, 'attributes', 0, 'value'] },
    ]);
  });

  it('is one option of a CHOICE, and any number of options of other types', async () => {
    const choice = await attribute('CHOICE', OPTIONS);
    const several = await attribute('MULTIPLE_CHOICE', OPTIONS);
    const entries = ({ id, options }: Record) =>
      options.map((option) => ({ productAttributeId: id, productAttributeOptionId: option.id, value: option.name }));
    await call('saveProduct', { input: product(entries(several), entries(several)) });
    const [one] = entries(choice);
    await call('saveProduct', { input: product([one!, one!], [entries(choice)[1]!]) });
    expect(await refused(product(entries(choice).slice(0, 2)))).toEqual([
      {
        path: ['input', 'attributes', 1, 'productAttributeOptionId'],
        message: ONE_OPTION,
      },
    ]);
  });

  it('is one option of a CHOICE by its name too, unless the attribute has no options', async () => {
    const [choice, free] = [await attribute('CHOICE', OPTIONS), await attribute('CHOICE')];
    const several = await attribute('MULTIPLE_CHOICE', OPTIONS);
    const entries = ({ id }: Record, ...values: string[]) => values.map((value) => ({ productAttributeId: id, value }));
    const accepted = [
      ...entries(choice, 'Cotton', ' cotton', ''),
      ...entries(free, 'a', 'b'),
      ...entries(several, 'Cotton', 'Café'),
    ];
    await call('saveProduct', { input: product(accepted, entries(choice, 'Café')) });
    const message = ONE_OPTION;
    expect(await refused(product([], entries(choice, 'Cotton', 'Café')))).toEqual([
      { path: ['input', 'variants', 0, 'attributes', 1, 'value'], message },
    ]);
  });

  it.each(['id', 'name'])('is one option of a CHOICE beside the stored one too, by %s', async (member) => {
    const { id, options } = await attribute('CHOICE', OPTIONS);
    const [a, b, c] = options.map((option) => ({
      productAttributeId: id,
      ...(member === 'id' ? { productAttributeOptionId: option.id } : { value: option.name }),
    })) as [object, object, object];
    const saved = await call<Record>('saveProduct', { input: product([a], [b]) });
    const variantId = saved.variants[0]!.id;
    const sent = (list: object[], ofVariant: object[]) => {
      const { variants, ...members } = product(list, ofVariant) as { variants: object[] };
      return { ...members, id: saved.id, variants: variants.map((variant) => ({ ...variant, id: variantId })) };
    };
    const at = (...path: (string | number)[]) => [
      { path: ['input', ...path, member === 'id' ? 'productAttributeOptionId' : 'value'], message: ONE_OPTION },
    ];
    expect(await refused(sent([a, b], [b]))).toEqual(at('attributes', 1));
    expect(await refused(sent([b, a], [b]))).toEqual(at('attributes', 0));
    expect(await refused(sent([c, b], [b]))).toEqual(at('attributes', 1));
    expect(await refused(sent([a], [a, b]))).toEqual(at('variants', 0, 'attributes', 0));
    await call('saveProduct', { input: sent([b], [a]) });
  });

  it('is one option of a CHOICE, however that is given', async () => {
    const { id, options } = await attribute('CHOICE', { options: [...OPTIONS.options, { name: 'cotton' }] });
    const [cotton, , cafe, lower] = options as [OptionOf, OptionOf, OptionOf, OptionOf];
    const byId = (option: OptionOf) => ({ productAttributeId: id, productAttributeOptionId: option.id });
    const byText = (value: string) => ({ productAttributeId: id, value });
    const ways = [byId(cotton), byText('Cotton'), byText(` ${cotton.id} `), byText(cotton.id.toUpperCase())];
    const saved = await call<Record>('saveProduct', { input: product(ways, [byText('CAFÉ'), byId(cafe)]) });
    await call('saveProduct', { input: { ...product([byText('cotton'), byId(lower)]), id: saved.id } });
    const at = (member: string) => [{ path: ['input', 'attributes', 1, member], message: ONE_OPTION }];
    expect(await refused(product([byId(cotton), byText('Café')]))).toEqual(at('value'));
    expect(await refused(product([byText('Café'), byId(cotton)]))).toEqual(at('productAttributeOptionId'));
    expect(await refused(product([byText(cafe.id), byText('Cotton')]))).toEqual(at('value'));
    expect(await refused(product([byId(lower), byText('Cotton')]))).toEqual(at('value'));
  });

  it('is one option of a CHOICE beside the stored one, given in another way', async () => {
    const { id, options } = await attribute('CHOICE', OPTIONS);
    const [cotton, silk] = options as [OptionOf, OptionOf];
    const [byName, byId] = [
      { productAttributeId: id, value: cotton.name },
      { productAttributeId: id, productAttributeOptionId: cotton.id },
    ];
    const other = { productAttributeId: id, productAttributeOptionId: silk.id };
    const saved = await call<Record>('saveProduct', { input: product([byName]) });
    expect(await refused({ ...product([other, byId]), id: saved.id })).toEqual([
      { path: ['input', 'attributes', 0, 'productAttributeOptionId'], message: ONE_OPTION },
    ]);
    await call('saveProduct', { input: { ...product([byId, byName]), id: saved.id } });
  });

  it('is one of two stored options of an attribute that has become a CHOICE, and no third one', async () => {
    const { id, options } = await attribute('MULTIPLE_CHOICE', OPTIONS);
    const [a, b, c] = options.map((option) => ({ productAttributeId: id, productAttributeOptionId: option.id })) as [
      object,
      object,
      object,
    ];
    const saved = await call<Record>('saveProduct', { input: product([a, b]) });
    await call('saveProductAttribute', { input: { id, name: newId(), type: 'CHOICE', options } });
    const sent = (list: object[]) => ({ ...product(list), id: saved.id });
    await call('saveProduct', { input: sent([b, a]) });
    expect(await refused(sent([c, a, b]))).toEqual([
      { path: ['input', 'attributes', 0, 'productAttributeOptionId'], message: ONE_OPTION },
    ]);
    await call('saveProduct', { input: sent([b]) });
    expect(await refused(sent([b, a]))).toMatchObject([{ path: ['input', 'attributes', 1, expect.anything()] }]);
  });

  it('may be any text if an option or pictures are sent too: they are the value then', async () => {
    const { id, options } = await attribute('CHOICE', OPTIONS);
    const image = await attribute('IMAGE');
    const entries = [
      { productAttributeId: id, productAttributeOptionId: options[0]!.id, value: 'shown as this' },
      { productAttributeId: image.id, imageIds: ['i1'], value: 'a picture' },
    ];
    expect(await call('saveProduct', { input: product(entries) })).toMatchObject({ attributes: entries });
  });

  it('that is stored may be sent back, also if it has become invalid', async () => {
    const { id: attributeId } = await attribute('TEXT');
    const name = newId();
    const entry = { productAttributeId: attributeId, value: 'a word' };
    const { id, version, variants } = await call<Record>('saveProduct', { input: product([entry], [entry]) });
    await call('saveProductAttribute', { input: { id: attributeId, name, type: 'NUMERIC' } });
    const variant = { id: variants[0]!.id, prices: [{ sellPrice: 1 }], attributes: [entry] };
    const back = { id, name: 'Tee', type: 'PHYSICAL', attributes: [entry], variants: [variant] };
    expect((await call<Record>('saveProduct', { input: back })).version).toBe(version);
    const other = { ...entry, value: 'another word' };
    expect(await refused({ ...back, attributes: [entry, other] })).toMatchObject([
      { path: ['input', 'attributes', 1, 'value'], message: 'must be a number, such as -12.5' },
    ]);
  });

  it('that names a product or an option deleted since may be sent back', async () => {
    const [other, related] = [await plain(), await attribute('PRODUCT')];
    const choice = await attribute('CHOICE', OPTIONS);
    const entries = [
      { productAttributeId: related.id, value: other },
      { productAttributeId: choice.id, value: 'Cotton' },
    ];
    const { id } = await call<Record>('saveProduct', { input: product(entries) });
    await call('deleteProductList', { idList: [other] });
    await call('saveProductAttribute', {
      input: { id: choice.id, name: newId(), type: 'CHOICE', options: [{ name: 'Wool' }] },
    });
    await call('saveProduct', { input: { ...product(entries), id, variants: [] } });
    expect(await refused(product(entries))).toHaveLength(2);
  });

  it('is looked up with one more statement for any number of values', async () => {
    const [number, related] = [await attribute('NUMERIC'), await attribute('PRODUCT')];
    const statements = async (attributes: object[]): Promise<number> => {
      const before = database.statements.length;
      await call('saveProduct', { input: product(attributes, attributes) });
      return database.statements.length - before;
    };
    const id = { productAttributeId: number.id };
    const without = await statements([id]);
    const many = Array.from({ length: 100 }, (_, n) => ({ ...id, value: String(n) }));
    expect(await statements([...many, { productAttributeId: related.id, value: own.product }])).toBe(without + 1);
  });

  it('is compared with the template of a table, unless the templates of the request are too large together', async () => {
    const headings = Array.from({ length: 1_000 }, (_, n) => ({
      id: String(n).padEnd(255, '語'),
      name: '語'.repeat(255),
    }));
    const tableTemplate = { rows: headings, columns: headings };
    const large = async (type: string) => (await attribute(type, { tableTemplate })).id;
    const [table, other, third, text] = [
      await large('TABLE'),
      await large('TABLE'),
      await large('TABLE'),
      await large('TEXT'),
    ];
    const valueOf = (id: string) => ({ productAttributeId: id, value: '[{"rowId":"r9"}]' });
    expect(await refused(product([table, other, ...Array(3).fill(text)].map(valueOf)))).toHaveLength(2);
    await call('saveProduct', { input: product([table, other, third].map(valueOf)) });
  });

  it('that plain SQL has written may be sent back too', async () => {
    const { id: attributeId } = await attribute('NUMERIC');
    const { id } = await call<Record>('saveProduct', { input: product([{ productAttributeId: attributeId }]) });
    const stored = [{ productAttributeId: attributeId, productAttributeOptionId: null, value: 'x', imageIds: null }];
    await database.db.execute(sql`
      update product set attributes = ${JSON.stringify(stored)}::json
      where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const saved = await call('saveProduct', { input: { ...product(stored), id, variants: [] } });
    expect(saved).toMatchObject({ attributes: stored });
  });
});
