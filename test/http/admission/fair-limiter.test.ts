import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/context.ts';
import { Turns } from '../../../src/http/admission/fair-limiter.ts';
import { session } from '../../support/small-schema.ts';

const limits = { max: 1, maxPerMerchant: 1, waitingMax: 100, waitMaxMs: 60_000 };
const of = (merchantId: string): Session => ({ ...session(), merchantId });

/** Requests that leave as soon as they enter, by the order in which they do. */
function requests(turns: Turns) {
  const entered: string[] = [];
  const refused: string[] = [];
  const take = async (name: string, { weight = 1, client = new EventEmitter() } = {}): Promise<void> => {
    try {
      const leave = await turns.take(of(name[0]!), weight, client);
      entered.push(name);
      leave();
    } catch {
      refused.push(name);
    }
  };
  return { take, entered, refused };
}

describe('turns', () => {
  it('go to the merchants one after the other, and to the requests of each as they came', async () => {
    const turns = new Turns(limits);
    const { take, entered } = requests(turns);
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(async (name) => await take(name));
    leave();
    await Promise.all(all);
    expect(entered).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(turns.counts).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });

  it('leave places to other merchants when one has its share', async () => {
    const turns = new Turns({ ...limits, max: 3, maxPerMerchant: 2 });
    const { take, entered } = requests(turns);
    const held = [await turns.take(of('a'), 1, new EventEmitter()), await turns.take(of('a'), 1, new EventEmitter())];
    const third = take('a3');
    await take('b1');
    expect(entered).toEqual(['b1']);
    held[0]!();
    await third;
    expect(entered).toEqual(['b1', 'a3']);
  });

  it('let in what weighs more than all places by itself, and nothing past what is heavy and waits', async () => {
    const turns = new Turns({ ...limits, max: 10, maxPerMerchant: 10 });
    const { take, entered } = requests(turns);
    const leave = await turns.take(of('x'), 6, new EventEmitter());
    const all = [take('a1', { weight: 20 }), take('b1', { weight: 1 })];
    expect(turns.counts).toMatchObject({ inside: 6, waiting: 2 });
    leave();
    await Promise.all(all);
    expect(entered).toEqual(['a1', 'b1']);
  });

  it('are refused to the last of the merchant that has most of those that wait', async () => {
    const turns = new Turns({ ...limits, waitingMax: 3 });
    const { take, entered, refused } = requests(turns);
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(async (name) => await take(name));
    leave();
    await Promise.all(all);
    expect(refused).toEqual(['a4', 'a3', 'a2']);
    expect(entered).toEqual(['a1', 'b1', 'c1']);
    expect(turns.counts).toEqual({ inside: 0, waiting: 0, refused: 3 });
  });

  it('are refused to who comes rather than to one that has no more of them waiting', async () => {
    const turns = new Turns({ ...limits, waitingMax: 2 });
    const { take, entered, refused } = requests(turns);
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    const all = ['a1', 'b1', 'b2', 'a2'].map(async (name) => await take(name));
    leave();
    await Promise.all(all);
    expect([refused, entered]).toEqual([
      ['b2', 'a2'],
      ['a1', 'b1'],
    ]);
  });

  it('are refused before the body is read, to the merchant that would be refused', async () => {
    const turns = new Turns({ ...limits, waitingMax: 1 });
    const { take, refused } = requests(turns);
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    const waiting = take('a1');
    expect(() => turns.check(of('a'))).toThrow('Too many requests are waiting');
    expect(() => turns.check(of('b'))).not.toThrow();
    leave();
    await waiting;
    expect(refused).toEqual([]);
    expect(() => turns.check(of('a'))).not.toThrow();
  });

  it('are refused after too long a wait', async () => {
    const turns = new Turns({ ...limits, waitMaxMs: 10 });
    const { take, refused } = requests(turns);
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    await take('a1');
    expect(refused).toEqual(['a1']);
    expect(turns.counts).toEqual({ inside: 1, waiting: 0, refused: 1 });
    leave();
  });

  it('are not kept for clients that have gone', async () => {
    const turns = new Turns(limits);
    const { take, entered } = requests(turns);
    const client = new EventEmitter();
    const leave = await turns.take(of('x'), 1, new EventEmitter());
    const gone = take('a1', { client });
    const waiting = take('a2');
    client.emit('close');
    await gone;
    leave();
    await waiting;
    expect(entered).toEqual(['a2']);
    expect(turns.counts).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });

  it('end once, however often it is said', async () => {
    const turns = new Turns(limits);
    const leave = await turns.take(of('a'), 1, new EventEmitter());
    leave();
    leave();
    expect(turns.counts).toEqual({ inside: 0, waiting: 0, refused: 0 });
  });
});
