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

  const lists = ['a thousand parts', 'as many parts as a text can have'] as const;
  const json = ['deep lists', 'deep objects'] as const;

  // The types divide lists and parse JSON with the same code, except tables. Each part of a list is compared with the
  // options or products; an image ends at the first part that is none.
  it.each<[string, readonly (keyof typeof values)[], (keyof typeof values)[]]>([
    ['MULTIPLE_CHOICE', lists, []],
    ['PRODUCT', lists, []],
    ['IMAGE', json, []],
    ['TABLE', json, ['deep lists']],
  ])('do not delay others: values of %s with %s', async (type, sent, accepted) => {
    const attribute = await saveAttribute(type);
    const answers: [name: string, Answer][] = [];
    const report = await attack(`long values of ${type}`, service, async () => {
      for (const name of sent) answers.push([name, await saveProduct(attribute, values[name])]);
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
