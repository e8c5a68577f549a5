import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Batches } from '../../src/limits/batches.ts';

it('executes an item at once, and what arrives meanwhile together, by its name', async () => {
  const batches = new Batches();
  const executed: string[][] = [];
  const execute = async (items: string[]) => {
    executed.push(items);
    await turn();
    return items.map((item) => item.toUpperCase());
  };
  const run = async (name: string, item: string) => await batches.run(name, item, execute);
  expect(await Promise.all([run('x', 'a'), run('x', 'b'), run('y', 'c'), run('x', 'd')])).toEqual(['A', 'B', 'C', 'D']);
  expect(executed).toEqual([['a'], ['c'], ['b', 'd']]);
  expect(await run('x', 'e')).toBe('E');
});

it('fails the items of one batch, and goes on with the next', async () => {
  const batches = new Batches();
  const run = async (item: string) =>
    await batches.run('x', item, async (items) => {
      await turn();
      if (items.includes('b')) throw new Error('refused');
      return items;
    });
  const first = Promise.allSettled([run('a'), run('b'), run('c')]);
  await turn();
  const later = run('d');
  expect((await first).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await later).toBe('d');
});

it('executes at most 100 items at once', async () => {
  const batches = new Batches();
  const sizes: number[] = [];
  const run = async (item: number) =>
    await batches.run('x', item, async (items) => {
      sizes.push(items.length);
      await turn();
      return items;
    });
  const items = Array.from({ length: 250 }, (_, n) => n);
  expect(await Promise.all(items.map(run))).toEqual(items);
  expect(sizes).toEqual([1, 100, 100, 49]);
});

it('executes the items of a turn together if the first batch is deferred, and waits for all of them', async () => {
  const batches = new Batches({ isDeferred: true });
  const executed: string[][] = [];
  const run = async (name: string, item: string) =>
    await batches.run(name, item, async (items: string[]) => {
      executed.push(items);
      await turn();
      return items;
    });
  const first = Promise.all([run('x', 'a'), run('x', 'b'), run('y', 'c')]);
  expect(executed).toEqual([]);
  const next = first.then(async () => await run('x', 'd'));
  await batches.flush();
  expect(executed).toEqual([['a', 'b'], ['c']]);
  await next;
  expect(executed.at(-1)).toEqual(['d']);
  await batches.flush();
});

it('executes the items of a name while the batch of another one waits', async () => {
  const batches = new Batches();
  const open = Promise.withResolvers<void>();
  const slow = batches.run('x', 'a', async (items) => {
    await open.promise;
    return items;
  });
  expect(await batches.run('y', 'b', async (items) => items)).toBe('b');
  let isFlushed = false;
  const flushed = batches.flush().then(() => (isFlushed = true));
  await turn();
  expect(isFlushed).toBe(false);
  open.resolve();
  await flushed;
  expect(await slow).toBe('a');
});
