import { describe, expect, it } from 'vitest';
import { chainFaults, type Movement } from './count-ledger.ts';
import { replay, type StoredHold } from './replay.ts';

const COUNT = { id: 'count', variantId: 'variant', stockCount: 3 };

describe('the movements of a count', () => {
  const right = [movement(1, 10, 5, 5), movement(2, 11, -2, 3)];

  it('are right if each continues the former one', () => {
    expect(chainFaults(COUNT, right)).toEqual([]);
  });

  it.each([
    ['a gap', [right[0]!, { ...right[1]!, sequence: 3 }]],
    ['another count afterwards', [right[0]!, { ...right[1]!, countAfter: 4 }]],
    ['a time that is not later', [right[0]!, movement(2, 10, -2, 3)]],
    ['a repeated key', [right[0]!, { ...right[1]!, key: right[0]!.key }]],
    ['a lost last one', [right[0]!]],
  ])('are wrong with %s', (_, movements) => {
    expect(chainFaults(COUNT, movements)).toHaveLength(1);
  });
});

describe('a replay', () => {
  const opened = movement(1, 0, 5, 5);

  it('finds a hold of more than is available', () => {
    expect(overheld([opened], [hold('a', 10, 5), hold('b', 20, 0.5)])).toEqual([['b'], 0]);
    expect(overheld([opened], [hold('a', 10, 3), hold('b', 20, 2)])).toEqual([[], 0]);
  });

  it('counts a hold until it expires, is released or is sold', () => {
    const ended = [{ expiresMs: 15 }, { releasedMs: 15 }];
    for (const end of ended) expect(overheld([opened], [hold('a', 10, 5, end), hold('b', 20, 5)])).toEqual([[], 0]);
    for (const end of [{ expiresMs: 25 }, { releasedMs: 25 }])
      expect(overheld([opened], [hold('a', 10, 5, end), hold('b', 20, 5)])).toEqual([['b'], 0]);
    const sold = [hold('a', 10, 5, { soldAt: 2 }), hold('b', 20, 1)];
    expect(overheld([opened, movement(2, 15, -5, 0)], sold)).toEqual([['b'], 0]);
    expect(overheld([opened, movement(2, 15, -5, 0), movement(3, 17, 1, 1)], sold)).toEqual([[], 0]);
  });

  it('does not decide the order of a hold and a movement of the same millisecond', () => {
    const taken = [opened, movement(2, 20, -5, 0)];
    expect(overheld(taken, [hold('b', 20, 5)])).toEqual([[], 1]);
    expect(overheld(taken, [hold('b', 20, 6)])).toEqual([['b'], 0]);
    expect(overheld(taken, [hold('b', 22, 5)])).toEqual([['b'], 0]);
  });

  it('regards a movement that follows another at once as made with it', () => {
    const together = [opened, movement(2, 20, 1, 6), movement(3, 21, 1, 7), movement(4, 22, 1, 8)];
    expect(overheld(together, [hold('b', 20, 8)])).toEqual([[], 1]);
    expect(overheld(together, [hold('b', 15, 8)])).toEqual([['b'], 0]);
  });

  it('finds a guarded movement that takes what is held', () => {
    const movements = [opened, movement(2, 20, -3, 2)];
    const overdrawn = (...holds: StoredHold[]) => replay(movements, holds, ({ delta }) => delta < 0).overdrawn;
    expect(overdrawn(hold('a', 10, 2))).toEqual([]);
    expect(overdrawn(hold('a', 10, 2.5))).toHaveLength(1);
    expect(overdrawn(hold('a', 10, 2.5, { expiresMs: 15 }))).toEqual([]);
    expect(overdrawn(hold('a', 25, 2.5))).toEqual([]);
  });
});

/** The ids of the holds that are wrong, and the number of undecided ones. */
function overheld(movements: readonly Movement[], holds: readonly StoredHold[]): [string[], number] {
  const result = replay(movements, holds, () => false);
  return [result.overheld.map((fault) => fault.split(':')[0]!), result.undecided];
}

function movement(sequence: number, atMs: number, delta: number, countAfter: number): Movement {
  const time = atMs.toString(16).padStart(12, '0');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
  return { id, sequence, delta, countAfter, key: `key ${sequence}`, kind: 'CORRECTED' };
}

function hold(id: string, createdMs: number, quantity: number, end: Partial<StoredHold> = {}): StoredHold {
  const never = { expiresMs: Infinity, soldAt: Infinity, releasedMs: Infinity };
  return { id, key: id, quantity, createdMs, status: 'ACTIVE', ...never, ...end };
}
