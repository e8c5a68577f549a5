import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../src/context.ts';
import { FairLimiter } from '../../../src/http/admission/fair-limiter.ts';
import { session } from '../../support/small-schema.ts';

const limits = { max: 1, maxPerMerchant: 1, maxWaiting: 100, maxWaitMs: 60_000 };
const of = (merchantId: string): Session => ({ ...session(), merchantId });

/** Makes requests that end as soon as they are admitted. `admitted` has their order. */
function requests(limiter: FairLimiter) {
  const admitted: string[] = [];
  const refused: string[] = [];
  const request = async (name: string, { weight = 1, client = new EventEmitter() } = {}): Promise<void> => {
    try {
      const release = await limiter.acquire(of(name[0]!), weight, client);
      admitted.push(name);
      release();
    } catch {
      refused.push(name);
    }
  };
  return { request, admitted, refused };
}

// With a real clock, delays of a busy machine would count as time that merchants have used.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a fair limiter', () => {
  it('admits merchants round robin, and the requests of each in order', async () => {
    const limiter = new FairLimiter(limits);
    const { request, admitted } = requests(limiter);
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(async (name) => await request(name));
    release();
    await Promise.all(all);
    expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(limiter.counts).toEqual({ active: 0, waiting: 0, refused: 0 });
  });

  it('admits other merchants when one has its share', async () => {
    const limiter = new FairLimiter({ ...limits, max: 3, maxPerMerchant: 2 });
    const { request, admitted } = requests(limiter);
    const held = [
      await limiter.acquire(of('a'), 1, new EventEmitter()),
      await limiter.acquire(of('a'), 1, new EventEmitter()),
    ];
    const third = request('a3');
    await request('b1');
    expect(admitted).toEqual(['b1']);
    held[0]!();
    await third;
    expect(admitted).toEqual(['b1', 'a3']);
  });

  it('admits a request heavier than the limit alone, and no other one before a heavy one that waits', async () => {
    const limiter = new FairLimiter({ ...limits, max: 10, maxPerMerchant: 10 });
    const { request, admitted } = requests(limiter);
    const release = await limiter.acquire(of('x'), 6, new EventEmitter());
    const all = [request('a1', { weight: 20 }), request('b1', { weight: 1 })];
    expect(limiter.counts).toMatchObject({ active: 6, waiting: 2 });
    release();
    await Promise.all(all);
    expect(admitted).toEqual(['a1', 'b1']);
  });

  it('refuses the last request of the merchant with the longest queue', async () => {
    const limiter = new FairLimiter({ ...limits, maxWaiting: 3 });
    const { request, admitted, refused } = requests(limiter);
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(async (name) => await request(name));
    release();
    await Promise.all(all);
    expect(refused).toEqual(['a4', 'a3', 'a2']);
    expect(admitted).toEqual(['a1', 'b1', 'c1']);
    expect(limiter.counts).toEqual({ active: 0, waiting: 0, refused: 3 });
  });

  it('refuses a new request if its own merchant has the longest queue', async () => {
    const limiter = new FairLimiter({ ...limits, maxWaiting: 2 });
    const { request, admitted, refused } = requests(limiter);
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    const all = ['a1', 'b1', 'b2', 'a2'].map(async (name) => await request(name));
    release();
    await Promise.all(all);
    expect([refused, admitted]).toEqual([
      ['b2', 'a2'],
      ['a1', 'b1'],
    ]);
  });

  it('refuses before the body is read what it would refuse later', async () => {
    const limiter = new FairLimiter({ ...limits, maxWaiting: 1 });
    const { request, refused } = requests(limiter);
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    const waiting = request('a1');
    expect(() => limiter.check(of('a'))).toThrow('Too many requests are waiting');
    expect(() => limiter.check(of('b'))).not.toThrow();
    release();
    await waiting;
    expect(refused).toEqual([]);
    expect(() => limiter.check(of('a'))).not.toThrow();
  });

  it('refuses a request that has waited too long', async () => {
    const limiter = new FairLimiter({ ...limits, maxWaitMs: 10 });
    const { request, refused } = requests(limiter);
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    await request('a1');
    expect(refused).toEqual(['a1']);
    expect(limiter.counts).toEqual({ active: 1, waiting: 0, refused: 1 });
    release();
  });

  // docs/reliability-tests.md: 31
  it('forgets requests whose client has disconnected', async () => {
    const limiter = new FairLimiter(limits);
    const { request, admitted } = requests(limiter);
    const client = new EventEmitter();
    const release = await limiter.acquire(of('x'), 1, new EventEmitter());
    const gone = request('a1', { client });
    const waiting = request('a2');
    client.emit('close');
    await gone;
    release();
    await waiting;
    expect(admitted).toEqual(['a2']);
    expect(limiter.counts).toEqual({ active: 0, waiting: 0, refused: 0 });
  });

  it('releases once, also if it is called several times', async () => {
    const limiter = new FairLimiter(limits);
    const release = await limiter.acquire(of('a'), 1, new EventEmitter());
    release();
    release();
    expect(limiter.counts).toEqual({ active: 0, waiting: 0, refused: 0 });
  });
});
