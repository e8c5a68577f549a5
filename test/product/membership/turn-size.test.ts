import { describe, expect, it } from 'vitest';
import { TurnSize } from '../../../src/product/membership/turn-size.ts';

const MAX = 6_400;
const timeout = { code: '57014', message: 'canceling statement due to statement timeout' };

const take = async (size: TurnSize, isFull: boolean) => await size.measured(async () => ({ isFull }));
const timeOut = async (size: TurnSize) => await size.measured<null>(() => Promise.reject(timeout));

describe('the next batch', () => {
  it('is small at first, and grows to the largest size while batches are short and full', async () => {
    const size = new TurnSize();
    const sizes = [];
    for (let turn = 0; turn < 5; turn++) {
      sizes.push(size.products(MAX));
      await take(size, true);
    }
    expect(sizes).toEqual([100, 400, 1_600, 6_400, 6_400]);
  });

  it('does not grow after a batch that was not full', async () => {
    const size = new TurnSize();
    await take(size, false);
    expect(size.products(MAX)).toBe(100);
  });

  it('is smaller after a statement timeout, down to one product and less text of conditions', async () => {
    const size = new TurnSize();
    expect(size.conditionPart(size.products(MAX), MAX)).toBe(1);
    expect(await timeOut(size)).toBe('retry');
    expect(size.products(MAX)).toBe(6);
    for (let turn = 0; turn < 3; turn++) await timeOut(size);
    expect(size.products(MAX)).toBe(1);
    expect(size.conditionPart(1, MAX)).toBeLessThan(0.01);
  });

  it('fails at once with an error that is not the statement timeout', async () => {
    const failure = new Error('lost');
    await expect(new TurnSize().measured(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('fails with the statement timeout if it cannot be smaller', async () => {
    const size = new TurnSize();
    while ((await timeOut(size).catch(() => 'failed')) === 'retry');
    await expect(timeOut(size)).rejects.toBe(timeout);
  });
});
