import { expect, it } from 'vitest';
import { MicroBatcher } from '../../../src/worker/webhooks/micro-batcher.ts';

const groupOf = (item: number): string => (item < 10 ? 'small' : 'large');

/** Records the batches. A write lasts until `release`; the first `failures` writes fail. */
function recorder(failures = 0) {
  const batches: number[][] = [];
  const errors: unknown[] = [];
  const open = Promise.withResolvers<void>();
  return {
    batches,
    errors,
    release: () => open.resolve(),
    write: async (items: number[]) => {
      batches.push(items);
      await open.promise;
      if (failures-- > 0) throw new Error('not written');
    },
    onError: (error: unknown) => void errors.push(error),
  };
}

it('writes items that are added during a write together, up to the maximum', async () => {
  const { batches, release, write, onError } = recorder();
  const batcher = new MicroBatcher<number>({ write, groupOf, onError, maxSize: 3, retries: true });
  void batcher.add(1);
  void batcher.add(2);
  await expect.poll(() => batches).toEqual([[1, 2]]);
  for (const item of [3, 4, 5, 6]) void batcher.add(item);
  release();
  await batcher.flush();
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

it('writes a failed batch again, and resolves its items when it is written', async () => {
  const { batches, errors, release, write, onError } = recorder(2);
  release();
  const batcher = new MicroBatcher<number>({ write, groupOf, onError, maxSize: 3, retries: true });
  await batcher.add(1);
  expect(batches).toEqual([[1], [1], [1]]);
  expect(errors).toHaveLength(2);
});

it('drops a failed batch if it has no retries, and after it was closed', async () => {
  for (const retries of [false, true]) {
    const { batches, release, write, onError } = recorder(Infinity);
    release();
    const batcher = new MicroBatcher<number>({ write, groupOf, onError, maxSize: 3, retries });
    if (retries) batcher.close();
    await batcher.add(1);
    expect(batches).toEqual([[1]]);
  }
});

it('writes a group while the batches of another one wait and fail', async () => {
  const written: number[][] = [];
  const small = Promise.withResolvers<void>();
  const write = async (items: number[]) => {
    if (groupOf(items[0]!) === 'small') await small.promise;
    written.push(items);
  };
  const batcher = new MicroBatcher<number>({ write, groupOf, onError: () => {}, maxSize: 3, retries: true });
  const first = batcher.add(1);
  await Promise.all([batcher.add(10), batcher.add(11)]);
  await batcher.add(12);
  expect(written).toEqual([[10, 11], [12]]);
  small.reject(new Error('not written'));
  await batcher.add(13);
  batcher.close();
  await first;
  await batcher.flush();
  expect(written).toEqual([[10, 11], [12], [13]]);
});
