import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { LargeResponseLimiter } from '../../../src/http/admission/large-response-limiter.ts';
import type { ResponseSize } from '../../../src/limits/response-size.ts';
import { session } from '../../support/small-schema.ts';

const MIB = 1024 * 1024;
const recipient = (merchantId: string) => ({ session: { ...session(), merchantId }, client: new EventEmitter() });

/** A query whose statement reads this many bytes. */
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

it('a small response is read once and takes no slot', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const document = {};
  const runs: number[] = [];
  for (let count = 0; count < 20; count++)
    expect(await limiter.runQuery(document, recipient('a'), reading(1_000, runs))).toBe('answered');
  expect(runs).toHaveLength(20);
});

it('a large response is read again when it has a slot; the next one of the same document is read once', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const document = {};
  const [first, second] = [[] as number[], [] as number[]];
  const one = recipient('a');
  expect(await limiter.runQuery(document, one, reading(2 * MIB, first))).toBe('answered');
  one.client.emit('close');
  expect(await limiter.runQuery(document, recipient('a'), reading(2 * MIB, second))).toBe('answered');
  expect([first, second]).toEqual([[MIB, 16 * MIB], [16 * MIB]]);
});

it('a small response of a document that is large for others takes no slot', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const document = {};
  const held = ['a', 'a', 'a', 'b'].map(recipient);
  for (const one of held) await limiter.runQuery({}, one, reading(2 * MIB));
  const large = limiter.runQuery(document, recipient('b'), reading(2 * MIB));
  held[3]!.client.emit('close');
  expect(await large).toBe('answered');
  expect(await limiter.runQuery(document, recipient('c'), reading(1_000))).toBe('answered');
});

it('a merchant alone has three slots, several share four, and a slot is held until the response was read', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const answered: string[] = [];
  const recipients = ['a', 'a', 'a', 'a', 'b', 'c'].map(recipient);
  const all = recipients.map(async (one, index) => {
    await limiter.runQuery({}, one, reading(2 * MIB));
    answered.push(`${one.session.merchantId}${index}`);
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toEqual(['a0', 'a1', 'a2', 'b4']);
  recipients[4]!.client.emit('close');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toEqual(['a0', 'a1', 'a2', 'b4', 'c5']);
  // With two active merchants each may have two slots.
  recipients[0]!.client.emit('close');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(answered).toEqual(['a0', 'a1', 'a2', 'b4', 'c5']);
  recipients[1]!.client.emit('close');
  await Promise.all(all);
  expect(answered.at(-1)).toBe('a3');
});

it('a mutation whose response is large does not wait for a slot', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const one = recipient('a');
  expect(() => limiter.mutationSize(one).checkRead(2 * MIB)).not.toThrow();
  expect(() => limiter.mutationSize(recipient('a')).checkRead(2 * MIB)).toThrow('Too many large answers');
  expect(() => limiter.mutationSize(recipient('a')).checkRead(MIB)).not.toThrow();
  one.client.emit('close');
  expect(() => limiter.mutationSize(recipient('a')).checkRead(2 * MIB)).not.toThrow();
});

it('large responses of queries take no slot of a mutation, however many merchants wait for them', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  for (const merchantId of ['a', 'a', 'a', 'b']) await limiter.runQuery({}, recipient(merchantId), reading(2 * MIB));
  const waiting = ['a', 'b', 'c', 'd'].map(recipient);
  const queries = Promise.allSettled(waiting.map(async (one) => await limiter.runQuery({}, one, reading(2 * MIB))));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const mutate = (merchantId: string) => (): void => limiter.mutationSize(recipient(merchantId)).checkRead(2 * MIB);
  expect(mutate('c')).not.toThrow();
  expect(mutate('c')).toThrow('Too many large answers');
  expect(mutate('a')).not.toThrow();
  expect(mutate('d')).toThrow('Too many large answers');
  for (const { client } of waiting) client.emit('close');
  await queries;
});

it('a stored response waits for a slot if it is large', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const [one, other] = [recipient('a'), recipient('a')];
  for (const client of [one, recipient('a'), recipient('a')]) await limiter.acquireForStored(2 * MIB, client);
  await limiter.acquireForStored(MIB, other);
  let isAdmitted = false;
  const admitted = limiter.acquireForStored(2 * MIB, other).then(() => (isAdmitted = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAdmitted).toBe(false);
  one.client.emit('close');
  await admitted;
});

it('a query that holds many bytes beside its response needs a slot too', async () => {
  const limiter = new LargeResponseLimiter(16 * MIB);
  const held = ['a', 'a', 'a', 'b'].map(recipient);
  for (const one of held) await limiter.runQuery({}, one, reading(2 * MIB));
  const runs: number[] = [];
  const holding = limiter.runQuery({}, recipient('c'), async (size) => {
    await Promise.resolve();
    try {
      return runs.push(size.hold(2 * MIB));
    } catch {
      return null;
    }
  });
  await new Promise(setImmediate);
  expect(runs).toEqual([]);
  held[0]!.client.emit('close');
  expect(await holding).toBe(1);
});
