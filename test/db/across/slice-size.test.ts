import { expect, it } from 'vitest';
import { SliceSize } from '../../../src/db/across/slice-size.ts';
import { SQLSTATE } from '../../../src/db/errors/database-error.ts';

const timeout = () => Object.assign(new Error('canceled'), { code: SQLSTATE.queryCanceled });

it('halves the size until the work succeeds, and keeps the smaller size', async () => {
  const sizes: number[] = [];
  const slices = new SliceSize(100);
  const work = async (size: number) => {
    sizes.push(size);
    if (size > 30) throw timeout();
    return size;
  };
  expect(await slices.run(work)).toBe(25);
  expect(await slices.run(work)).toBe(25);
  expect(sizes).toEqual([100, 50, 25, 25]);
});

it('throws the timeout of one row, and other errors at once', async () => {
  const slices = new SliceSize(3);
  const sizes: number[] = [];
  const failing = slices.run(async (size) => {
    sizes.push(size);
    throw timeout();
  });
  await expect(failing).rejects.toThrow('canceled');
  expect(sizes).toEqual([3, 2, 1]);
  await expect(
    new SliceSize(3).run(async () => {
      throw new Error('other');
    }),
  ).rejects.toThrow('other');
});
