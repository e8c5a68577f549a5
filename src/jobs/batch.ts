import { setTimeout as wait } from 'node:timers/promises';

const RETRY_DELAY_MS = 250;

export type Batch<T> = { add(item: T): Promise<void>; flushed(): Promise<void> };

/**
 * Collects items while the ones before are being written, so that under load one statement serves
 * many and without load none waits. What cannot be written is tried until it can, or `givesUp`.
 */
export function openBatch<T>(write: (items: T[]) => Promise<void>, max: number, givesUp: (error: unknown) => boolean): Batch<T> {
  let waiting: { item: T; done: () => void }[] = [];
  let writing: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.splice(0, max);
      await writeAtLast(entries.map(({ item }) => item));
      for (const { done } of entries) done();
    }
    writing = null;
  }
  async function writeAtLast(items: T[]): Promise<void> {
    for (;;) {
      try {
        return await write(items);
      } catch (error) {
        if (givesUp(error)) return;
        await wait(RETRY_DELAY_MS);
      }
    }
  }
  return {
    add: (item) =>
      new Promise((done) => {
        waiting.push({ item, done });
        // What is added in the same turn of the loop goes along.
        writing ??= Promise.resolve().then(() => new Promise<void>((turn) => setImmediate(turn))).then(drain);
      }),
    flushed: async () => {
      while (writing) await writing;
    },
  };
}
