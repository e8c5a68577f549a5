import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { ResponseSize } from '../../../src/response-size.ts';
import { LargeAnswers } from '../../../src/http/admission/large-answers.ts';
import { session } from '../../support/small-schema.ts';

const MIB = 1024 * 1024;
const asker = (merchantId: string) => ({ session: { ...session(), merchantId }, client: new EventEmitter() });

/** A query whose answer is so large, as a statement reads it. */
function reading(bytes: number, runs: number[] = []) {
  return async (answer: ResponseSize) => {
    runs.push(answer.maxSentBytes);
    try {
      answer.read(bytes, answer.maxSentBytes);
      return 'answered';
    } catch {
      return 'refused';
    }
  };
}

it('a small answer is read once and takes no place', async () => {
  const large = new LargeAnswers(16 * MIB);
  const document = {};
  const runs: number[] = [];
  for (let count = 0; count < 20; count++)
    expect(await large.ofQuery(document, asker('a'), reading(1_000, runs))).toBe('answered');
  expect(runs).toHaveLength(20);
});

it('a large answer is read again when it has a place, and the next one of the document once', async () => {
  const large = new LargeAnswers(16 * MIB);
  const document = {};
  const [first, second] = [[] as number[], [] as number[]];
  const one = asker('a');
  expect(await large.ofQuery(document, one, reading(2 * MIB, first))).toBe('answered');
  one.client.emit('close');
  expect(await large.ofQuery(document, asker('a'), reading(2 * MIB, second))).toBe('answered');
  expect([first, second]).toEqual([[MIB, 16 * MIB], [16 * MIB]]);
});

it('large answers have three places of a merchant and four in all, until they were read', async () => {
  const large = new LargeAnswers(16 * MIB);
  const answered: string[] = [];
  const askers = ['a', 'a', 'a', 'a', 'b', 'c'].map(asker);
  const all = askers.map(async (one, index) => {
    await large.ofQuery({}, one, reading(2 * MIB));
    answered.push(`${one.session.merchantId}${index}`);
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toEqual(['a0', 'a1', 'a2', 'b4']);
  askers[4]!.client.emit('close');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toEqual(['a0', 'a1', 'a2', 'b4', 'c5']);
  askers[0]!.client.emit('close');
  await Promise.all(all);
  expect(answered.at(-1)).toBe('a3');
});

it('a mutation whose answer is large does not wait for a place', async () => {
  const large = new LargeAnswers(16 * MIB);
  const one = asker('a');
  expect(() => large.ofMutation(one).checkRead(2 * MIB)).not.toThrow();
  expect(() => large.ofMutation(asker('a')).checkRead(2 * MIB)).toThrow('Too many large answers');
  expect(() => large.ofMutation(asker('a')).checkRead(MIB)).not.toThrow();
  one.client.emit('close');
  expect(() => large.ofMutation(asker('a')).checkRead(2 * MIB)).not.toThrow();
});
