import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Few, because the cost of a document does not depend on what is stored. */
const PRODUCTS = 1_000;
const ALIASES = 30;
const SET_UP_TIMEOUT_MS = 120_000;
const things = ['kettle', 'jacket', 'lamp', 'chair', 'table', 'mug', 'shirt', 'shoe', 'bag', 'clock'];

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  const { body } = await service.attacker.send({
    query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
    variables: { input: Array.from({ length: PRODUCTS }, (_, index) => productOf(index)) },
  });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
}, SET_UP_TIMEOUT_MS);
afterAll(async () => await service.stop());

// docs/reliability-tests.md: 20, 30
it('thirty searches with facets in one document are refused before they are executed, for any number of documents', async () => {
  let answers: Answer[] = [];
  const report = await attack(`${ALIASES} searches with facets`, service, async () => {
    answers = await Promise.all(
      Array.from({ length: 8 }, async () => await service.attacker.send({ query: searches(ALIASES) })),
    );
  });
  expectUnharmed(report);
  expect(answers.flatMap(codes)).toEqual(answers.map(() => 'ARGUMENT_VALIDATION_ERROR'));
  expect(answers[0]!.body.errors).toMatchObject([
    { extensions: { field: 'searchProducts', fieldCost: expect.any(Number), maximumQueryCost: 100_000 } },
  ]);
});

it('executes a few of them', async () => {
  const { body } = await service.attacker.send({ query: searches(3) }, { 'x-request-cost': 'true' });
  expect(body.errors).toBeUndefined();
  expect(body.data).toMatchObject({ a0: { totalCount: PRODUCTS / things.length }, a1: {}, a2: {} });
  expect(body.extensions).toMatchObject({
    cost: { throttleStatus: { maximumAvailable: 500_000_000, restoreRate: 50_000_000 } },
  });
});

function searches(count: number): string {
  const fields = Array.from(
    { length: count },
    (_, index) =>
      `a${index}: searchProducts(input: {query: "${things[index % things.length]}"}) { totalCount results { id name } facets { field values { id name count } } }`,
  );
  return `{ ${fields.join(' ')} }`;
}

function productOf(index: number) {
  const thing = things[index % things.length]!;
  return {
    name: `${thing} ${index}`,
    type: 'PHYSICAL',
    brand: { name: `Brand ${index % 50}` },
    categories: [{ name: [`Category ${index % 40}`] }],
    tags: [{ name: `Tag ${index % 60}` }],
    productVariantTypes: [{ order: 1, variantTypeName: 'Size', variantValues: [{ name: 'S' }, { name: 'M' }] }],
    variants: ['S', 'M'].map((size) => ({
      sku: `${thing}-${index}-${size}`,
      prices: [{ sellPrice: 10 }],
      variantValues: [{ variantTypeName: 'Size', variantValueName: size }],
    })),
  };
}
