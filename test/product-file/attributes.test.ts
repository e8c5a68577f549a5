import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import type { Context } from '../../src/context.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile, tryFile } from './files.ts';

type Attribute = { id: string; options: { id: string }[] };
type Value = { productAttributeId: string; productAttributeOptionId: string | null; value: string | null };

const VALUES = { productAttributeId: {}, productAttributeOptionId: {}, value: {} };

let database: TestDatabase;
let ctx: Context;
let care: Attribute;
let related: Attribute;
let colors: Attribute;
let otherId: string;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  care = await attribute({ name: 'Care', type: 'TEXT' });
  related = await attribute({ name: 'Related', type: 'PRODUCT' });
  colors = await attribute({ name: 'Colors', type: 'MULTIPLE_CHOICE', options: [{ name: 'Red' }, { name: 'Blue' }] });
  otherId = await product('Other', []);
});

async function attribute(input: object): Promise<Attribute> {
  return (await saveProductAttribute(ctx, { input } as never, { id: {}, options: { id: {} } })) as never;
}

async function product(name: string, attributes: readonly Value[]): Promise<string> {
  const variants = [{ sku: name, prices: [{ sellPrice: 1 }], attributes }];
  const input = { name, type: 'PHYSICAL', attributes, variants, metaData: { slug: name.toLowerCase() } };
  return (await saveProduct(ctx, { input } as never, { id: {} })).id;
}

function valueOf({ id }: Attribute, value: string | null, optionId: string | null = null): Value {
  return { productAttributeId: id, productAttributeOptionId: optionId, value };
}

/** The values of the product and of its variant. */
async function stored(id: string): Promise<[Value[], Value[]]> {
  const selection = { data: { attributes: VALUES, variants: { attributes: VALUES } } };
  const { data } = await listProduct(ctx, { id: { eq: id } }, selection as never);
  const [found] = data as unknown as { attributes: Value[]; variants: [{ attributes: Value[] }] }[];
  return [found!.attributes, found!.variants[0].attributes];
}

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('keeps attribute values that are ids, which a file cannot contain, beside those that it changes', async () => {
    const ids = [valueOf(related, otherId), valueOf(colors, colors.options[1]!.id)];
    const id = await product('Tee', [valueOf(care, 'cold'), ...ids, valueOf(colors, null, colors.options[0]!.id)]);
    const { text, omitted } = await exportFile(ctx, format);
    expect(omitted.filter(({ handle }) => handle === 'tee')).toHaveLength(4);
    const sheet = text.replaceAll('cold', 'warm');
    const { differences } = await tryFile(ctx, format, sheet);
    expect(differences.map(({ members }) => members.map(({ member }) => member))).toEqual([
      ['attributes', 'variants[Tee].attributes'],
    ]);
    expect(await importFile(ctx, format, sheet)).toMatchObject({ updated: 1, skipped: [] });
    const values = [valueOf(care, 'warm'), valueOf(colors, null, colors.options[0]!.id), ...ids];
    expect(await stored(id)).toEqual([values, values]);
    expect(await importFile(ctx, format, sheet)).toMatchObject({ unchanged: 2, skipped: [] });
  });
});

it('replaces a value that is an id by another one of the file for its attribute', async () => {
  const id = await product('Tee', [valueOf(related, otherId), valueOf(colors, colors.options[1]!.id)]);
  const another = await product('Another', []);
  const attributes = [
    { attribute: 'Related', type: 'PRODUCT', value: another },
    { attribute: 'Colors', type: 'MULTIPLE_CHOICE', value: 'Red' },
  ];
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', attributes };
  const variants = [{ sku: 'Tee', prices: [{ sellPrice: 1 }] }];
  expect(await importFile(ctx, 'jsonl', JSON.stringify({ ...line, variants }))).toMatchObject({ updated: 1 });
  expect(await stored(id)).toEqual([
    [valueOf(related, another), valueOf(colors, 'Red')],
    [valueOf(related, otherId), valueOf(colors, colors.options[1]!.id)],
  ]);
});
