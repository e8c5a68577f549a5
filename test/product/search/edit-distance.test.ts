import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../src/product/search/edit-distance.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['shirt', 'shirt', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['shirt', 'shrt', 1],
    ['shirt', 'shiirt', 1],
    ['shirt', 'short', 1],
    ['shirt', 'shrit', 1],
    ['jacket', 'jakcte', 2],
    ['ab', 'ba', 1],
    ['ca', 'abc', 3],
    ['шапка', 'шпака', 1],
    ['a😀b', 'ab😀', 1],
  ])('of "%s" and "%s" is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
    expect(editDistance(to, from)).toBe(distance);
  });
});
