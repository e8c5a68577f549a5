import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const MAX_TEXT_LENGTH = 65_536;
/** Almost the largest allowed body. */
const MAX_VALUES_LENGTH = 9_200_000;
const MAX_VALUES = 1_000;
const OPTIONS = 1_000;
const HEADINGS = 1_000;
const VARIANTS = 100;
const ROUNDS_OF_VALUES = 15;
const PRODUCTS = 50;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

describe('values that are checked by the type of their attribute', () => {
  it.each(['MULTIPLE_CHOICE', 'PRODUCT', 'IMAGE', 'TABLE', 'TEXT'])(
    'do not delay others: the longest lists and the deepest JSON for %s',
    async (type) => {
      const attribute = await saveAttribute(type);
      const answers: Answer[] = [];
      const report = await attack(`long values of ${type}`, service, async () => {
        for (const value of [
          'a,'.repeat(1_000),
          'a,'.repeat(MAX_TEXT_LENGTH / 2),
          nested('[', ']'),
          nested('{"a":', '}'),
        ])
          answers.push(await saveProduct(attribute, value));
      });
      for (const answer of answers) expect([[], ['ARGUMENT_VALIDATION_ERROR']]).toContainEqual(codes(answer));
      expectUnharmed(report);
    },
  );

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
  const id = await saveVariantType(undefined, 0);
  for (let round = 1; round <= ROUNDS_OF_VALUES; round++) await saveVariantType(id, round);
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
  await saveVariantType(id, ROUNDS_OF_VALUES + 1);
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

async function saveVariantType(id: string | undefined, round: number): Promise<string> {
  const values = Array.from({ length: OPTIONS }, (_, index) => ({ name: `value ${round} ${index}` }));
  const answer = await send('mutation ($input: VariantTypeInput!) { saveVariantType(input: $input) { id } }', {
    input: { id, name: id ? `Type ${id}` : `Type ${randomUUID()}`, selectionType: 'choice', values },
  });
  expect(codes(answer)).toEqual([]);
  return (answer.body.data!['saveVariantType'] as { id: string }).id;
}

async function valuesOf(id: string): Promise<string[]> {
  const answer = await send('query ($id: String!) { listVariantType(id: {eq: $id}) { values { id } } }', { id });
  return (answer.body.data!['listVariantType'] as { values: { id: string }[] }[])[0]!.values.map(({ id }) => id);
}
