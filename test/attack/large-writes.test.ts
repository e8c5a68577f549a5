import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** About 4 MB of JSON. Processed in one piece, such a request blocked the event loop for two seconds. */
const PRODUCTS = 1_000;
const VARIANTS = 70;
/** Products of each of several requests at once, so that these take not much longer than one. */
const FEWER_PRODUCTS = 700;
const BULK_UPDATE = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';

let service: AttackedService;
beforeAll(async () => {
  // No timeout: the test does not measure the time of the database.
  service = await startAttackedService({ STATEMENT_TIMEOUT_MS: '120000' });
}, 60_000);
afterAll(() => service.stop());

const bulk = Array.from({ length: PRODUCTS }, (_, product) => ({
  name: `Product ${product}`,
  type: 'PHYSICAL',
  categories: [],
  productVariantTypes: [],
  variants: Array.from({ length: VARIANTS }, (_, variant) => ({
    sku: `${product}-${variant}`,
    isActive: true,
    prices: [{ sellPrice: 10 }],
  })),
}));

describe('a bulk update of 1,000 products with 70 variants', () => {
  it.each<[string, number, number, Record<string, string>]>([
    ['as a dry run with a key', 1, PRODUCTS, { 'x-dry-run': 'true', 'idempotency-key': 'large' }],
    // A merchant can have so many long writes at once.
    ['three at once, of 700 products', 3, FEWER_PRODUCTS, { 'x-dry-run': 'true' }],
  ])(
    'delays nobody else: %s',
    async (name, times, products, headers) => {
      const report = await attack(`a bulk update of ${products * VARIANTS} variants ${name}`, service, async () => {
        const input = bulk.slice(0, products);
        const send = async () => await service.attacker.send({ query: BULK_UPDATE, variables: { input } }, headers);
        for (const answer of await Promise.all(Array.from({ length: times }, send))) expect(codes(answer)).toEqual([]);
      });
      expectUnharmed(report);
    },
    240_000,
  );

  it('is refused with the paths of invalid members', async () => {
    const input = bulk.with(900, { ...bulk[900]!, name: ' ' }).with(7, { ...bulk[7]!, name: '' });
    const answer = await service.attacker.send({ query: BULK_UPDATE, variables: { input } });
    expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(answer.body.errors![0]!.extensions['issues']).toEqual(
      [7, 900].map((index) => ({ path: ['input', index, 'name'], message: 'must not be empty' })),
    );
  });

  // Coerced and validated again in one piece, it took 1.5 s.
  it('delays nobody else when its last product has no valid type', async () => {
    const input = bulk.with(-1, { ...bulk.at(-1)!, type: 'OTHER' });
    const report = await attack('a bulk update of 70,000 variants with one invalid value', service, async () => {
      const { body } = await service.attacker.send({ query: BULK_UPDATE, variables: { input } });
      expect(body.errors![0]!.message).toContain(`at [${PRODUCTS - 1}].type`);
    });
    expectUnharmed(report);
  });
});

it('an update of a product with 200,000 values in nested lists delays nobody else', async () => {
  const attributes = Array.from({ length: 200 }, () => ({ value: '' }));
  const variables = { patch: { variants: Array.from({ length: 1_000 }, () => ({ attributes })) } };
  const query = `mutation ($patch: ProductPatchInput!) { updateProduct(id: "unknown", patch: $patch) { id } }`;
  const report = await attack('an update with 200,000 values', service, async () => {
    expect(codes(await service.attacker.send({ query, variables }))).toEqual(['NOT_FOUND']);
  });
  expectUnharmed(report);
});

describe('a bulk update of 40 products with 1,000 categories', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => ({ name: [`Category ${index}`] }));
  const products = Array.from({ length: 40 }, (_, index) => ({
    sourceId: `in-categories-${index}`,
    name: `Product ${index}`,
    type: 'PHYSICAL',
    productVariantTypes: [],
    variants: [{ sku: `in-categories-${index}`, prices: [{ sellPrice: 10 }] }],
  }));
  const send = async (categories: object[], headers: Record<string, string> = {}) => {
    const input = products.map((product) => ({ ...product, categories }));
    return await service.attacker.send({ query: BULK_UPDATE, variables: { input } }, headers);
  };

  beforeAll(async () => {
    const { body } = await send(names);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
  });

  it('delays nobody else when it names the stored categories in another order', async () => {
    const report = await attack('40,000 stored categories in another order', service, async () => {
      expect(codes(await send(names.toReversed(), { 'x-dry-run': 'true' }))).toEqual([]);
    });
    expectUnharmed(report);
  }, 240_000);

  it('delays nobody else when it names others than the stored ones', async () => {
    const others = names.map(({ name: [name] }) => ({ name: [`Other ${name}`] }));
    const report = await attack('40,000 categories in place of the stored ones', service, async () => {
      expect(codes(await send(others, { 'x-dry-run': 'true' }))).toEqual([]);
    });
    expectUnharmed(report);
  }, 240_000);
});
