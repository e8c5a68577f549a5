import { expect, it } from 'vitest';
import { isId, newId } from '../../../src/db/sql/id.ts';

it('makes ids in ascending order, also within one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.every(isId)).toBe(true);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
