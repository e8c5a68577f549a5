import { afterAll, beforeAll, expect, it } from 'vitest';
import { codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Several times the body of the request. Messages that quote all of it took 1,900 MiB. */
const MAX_MEMORY_GROWTH_MIB = 300;
const SAVE_TAG = 'mutation ($input: ProductTagInput!) { saveProductTag(input: $input) { id } }';

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
  const beforeMib = service.memoryMib();
  let mostMib = beforeMib;
  const timer = setInterval(() => (mostMib = Math.max(mostMib, service.memoryMib())), 20);
  try {
    const report = await attack(`unknown members beside ${name}`, service, async () => {
      const answer = await service.attacker.send({ query: SAVE_TAG, variables: { input } });
      expect(new Set(codes(answer))).toEqual(new Set(['ARGUMENT_VALIDATION_ERROR']));
    });
    expectUnharmed(report);
  } finally {
    clearInterval(timer);
  }
  expect(mostMib - beforeMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
});
