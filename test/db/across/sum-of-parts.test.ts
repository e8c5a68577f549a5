import { expect, it } from 'vitest';
import { sumOfParts } from '../../../src/db/across/sum-of-parts.ts';

it('does the parts after one that fails, and throws its error at the end', async () => {
  const done: string[] = [];
  const part = (name: string, error?: Error) => async () => {
    done.push(name);
    if (error) throw error;
    return 2;
  };
  expect(await sumOfParts([part('one'), part('two')])).toBe(4);
  const parts = [part('three'), part('four', new Error('4')), part('five', new Error('5')), part('six')];
  await expect(sumOfParts(parts)).rejects.toThrow('4');
  expect(done).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});
