import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Several times the body of the request. Messages that quote all of it took 1,900 MiB. */
const MAX_MEMORY_GROWTH_MIB = 300;
const SAVE_TAG = 'mutation ($input: ProductTagInput!) { saveProductTag(input: $input) { id } }';
const SAVE_PRODUCT = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }';

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a${n}`, 1]));
const deep = Object.fromEntries(Array.from({ length: 4_800 }, (_, n) => [`k${n}`, 1]));
const inputs: [string, object][] = [
  ['a text of nine megabytes', { name: `ş${'x'.repeat(9_000_000)}`, ...unknown }],
  ['480,000 values', Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, deep]))],
];

// docs/reliability-tests.md: 32
it.each(inputs)('unknown members beside %s take little memory, and delay no other merchant', async (name, input) => {
  await expectRefused(`unknown members beside ${name}`, SAVE_TAG, input);
});

const PRICES = { priceListId: 'a', sellPrice: -1, discountPrice: -1, buyPrice: -1 };
const variants = Array.from({ length: 60 }, () => ({ prices: Array(1_000).fill(PRICES) }));
const salesChannels = Array.from({ length: 1_000 }, (_, n) => ({
  id: `a${n}`,
  status: 'VISIBLE',
  quantitySettings: Array(450).fill(-1),
}));
const product = { name: 'x', type: 'PHYSICAL' };

// docs/reliability-tests.md: 32
it.each<[string, object]>([
  ['450,000 numbers', { ...product, variants: [{ prices: [] }], salesChannels }],
  ['180,000 prices', { ...product, variants }],
])('%s that are not allowed are refused by the first fifty, and delay no other merchant', async (name, input) => {
  const { issues } = await expectRefused(`${name} that are not allowed`, SAVE_PRODUCT, input);
  expect(issues).toHaveLength(50);
});

/** The extensions of the error. */
async function expectRefused(name: string, query: string, input: object): Promise<{ issues?: unknown[] }> {
  let answer: Answer | undefined;
  const beforeMib = service.memoryMib();
  let mostMib = beforeMib;
  const timer = setInterval(() => (mostMib = Math.max(mostMib, service.memoryMib())), 20);
  try {
    const report = await attack(name, service, async () => {
      answer = await service.attacker.send({ query, variables: { input } });
    });
    expectUnharmed(report);
  } finally {
    clearInterval(timer);
  }
  expect(mostMib - beforeMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  expect(new Set(codes(answer!))).toEqual(new Set(['ARGUMENT_VALIDATION_ERROR']));
  return answer!.body.errors![0]!.extensions;
}
