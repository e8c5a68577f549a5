import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutTriggers } from '../support/database.ts';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const MAX_TEXT_LENGTH = 65_536;
/** Almost the largest allowed body. */
const MAX_VALUES_LENGTH = 9_200_000;
const MAX_VALUES = 1_000;
const OPTIONS = 1_000;
const HEADINGS = 1_000;
const VARIANTS = 100;
const REMOVED_VALUES = 14_000;
const PRODUCTS = 50;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

describe('values that are checked by the type of their attribute', () => {
  const values = {
    'a thousand parts': 'a,'.repeat(1_000),
    'as many parts as a text can have': 'a,'.repeat(MAX_TEXT_LENGTH / 2),
    'deep lists': nested('[', ']'),
    'deep objects': nested('{"a":', '}'),
  };

  it.each<[string, (keyof typeof values)[]]>([
    ['MULTIPLE_CHOICE', []],
    ['PRODUCT', []],
    ['IMAGE', []],
    ['TABLE', ['deep lists']],
  ])('do not delay others: the longest lists and the deepest JSON for %s', async (type, accepted) => {
    const attribute = await saveAttribute(type);
    const answers: [name: string, Answer][] = [];
    const report = await attack(`long values of ${type}`, service, async () => {
      for (const [name, value] of Object.entries(values)) answers.push([name, await saveProduct(attribute, value)]);
    });
    const [saved, refused] = [true, false].map((isSaved) => answers.filter(([, { body }]) => !body.errors === isSaved));
    expect(saved!.map(([name]) => name)).toEqual(accepted);
    for (const [, answer] of refused!) expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expectUnharmed(report);
  });

  it('do not delay others: many values of a table with many rows and columns', async () => {
    const attribute = await saveAttribute('TABLE', HEADINGS);
    const values = Array.from({ length: MAX_VALUES }, () => ({ productAttributeId: attribute, value: '[]' }));
    const variants = Array.from({ length: VARIANTS }, () => ({ prices: [{ sellPrice: 1 }], attributes: values }));
    let answer: Answer;
    const report = await attack('values of a large table', service, async () => {
      answer = await send('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', {
        input: { name: 'Tables', type: 'PHYSICAL', variants },
      });
    });
    expect(codes(answer!)).toEqual([]);
    expectUnharmed(report);
  });
});

it('products show the removed values that they use, without reading all removed values', async () => {
  const id = await saveVariantType(undefined, 'first');
  await insertRemovedValues(id);
  await saveVariantType(id, 'used');
  const used = await valuesOf(id);
  const product = {
    name: 'P',
    type: 'PHYSICAL',
    variants: [{ prices: [{ sellPrice: 1 }] }],
    productVariantTypes: [{ variantTypeId: id, order: 0, variantValueIds: used }],
  };
  for (let count = 0; count < PRODUCTS; count++)
    expect(
      codes(await send('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', { input: product })),
    ).toEqual([]);
  await saveVariantType(id, 'last');
  let answer: Answer;
  const report = await attack('products of a type with many removed values', service, async () => {
    answer = await send(
      '{ listProduct(name: {eq: "P"}, pagination: {limit: 50}) { data { productVariantTypes { values { id deleted } } } } }',
    );
  });
  expect(codes(answer!)).toEqual([]);
  const [first] = (
    answer!.body.data!['listProduct'] as { data: { productVariantTypes: { values: { deleted: boolean }[] }[] }[] }
  ).data;
  expect(first!.productVariantTypes[0]!.values.filter(({ deleted }) => deleted)).toHaveLength(OPTIONS);
  expectUnharmed(report);
});

async function send(query: string, variables: object = {}): Promise<Answer> {
  return await service.attacker.send({ query, variables });
}

function nested(open: string, close: string): string {
  const depth = Math.floor((MAX_TEXT_LENGTH - 1) / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

async function saveAttribute(type: string, headings = 1): Promise<string> {
  const options = type.includes('CHOICE')
    ? Array.from({ length: OPTIONS }, (_, index) => ({ name: index === OPTIONS - 1 ? 'a' : `option ${index}` }))
    : undefined;
  const headingsOf = (kind: string) =>
    Array.from({ length: headings }, (_, index) => ({ id: `${kind}${index}`, name: `${kind} ${index}` }));
  const tableTemplate = type === 'TABLE' ? { rows: headingsOf('row'), columns: headingsOf('column') } : undefined;
  const answer = await send(
    'mutation ($input: ProductAttributeInput!) { saveProductAttribute(input: $input) { id } }',
    { input: { name: `${type} ${randomUUID()}`, type, options, tableTemplate } },
  );
  return (answer.body.data!['saveProductAttribute'] as { id: string }).id;
}

async function saveProduct(attribute: string, value: string): Promise<Answer> {
  const length = Math.min(MAX_VALUES, Math.floor(MAX_VALUES_LENGTH / JSON.stringify(value).length));
  const attributes = Array.from({ length }, () => ({ productAttributeId: attribute, value }));
  return await send('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', {
    input: { name: 'Values', type: 'PHYSICAL', attributes, variants: [{ prices: [{ sellPrice: 1 }] }] },
  });
}

async function saveVariantType(id: string | undefined, round: string): Promise<string> {
  const values = Array.from({ length: OPTIONS }, (_, index) => ({ name: `value ${round} ${index}` }));
  const answer = await send('mutation ($input: VariantTypeInput!) { saveVariantType(input: $input) { id } }', {
    input: { id, name: id ? `Type ${id}` : `Type ${randomUUID()}`, selectionType: 'choice', values },
  });
  expect(codes(answer)).toEqual([]);
  return (answer.body.data!['saveVariantType'] as { id: string }).id;
}

/** Inserts them by plain SQL, because each request can remove a thousand. */
async function insertRemovedValues(typeId: string): Promise<void> {
  const { database, attacker } = service;
  await withoutTriggers(
    database.owner,
    async (owner) =>
      await owner.execute(sql`
        insert into variant_value (merchant_id, id, variant_type_id, name, position, deleted)
        select ${attacker.ctx.merchantId}, uuid_v7(), ${typeId}, 'removed ' || n, n, true
        from generate_series(1, ${REMOVED_VALUES}::int) as n`),
  );
}

async function valuesOf(id: string): Promise<string[]> {
  const answer = await send('query ($id: String!) { listVariantType(id: {eq: $id}) { values { id } } }', { id });
  return (answer.body.data!['listVariantType'] as { values: { id: string }[] }[])[0]!.values.map(({ id }) => id);
}
