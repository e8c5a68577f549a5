import { setTimeout as wait } from 'node:timers/promises';

const RETRY_DELAY_MS = 250;

export type MicroBatcherOptions<T> = {
  write: (items: T[]) => Promise<void>;
  /** Items of different groups are written independently: a group that waits or fails delays no other. */
  groupOf: (item: T) => string;
  maxSize: number;
  /** Called with each failed write. */
  onError: (error: unknown) => void;
  /** Whether a failed batch is written again, until `close`; otherwise it is dropped. */
  retries: boolean;
};

type Entry<T> = { item: T; done: () => void };

type Group<T> = { waiting: Entry<T>[]; ended: Promise<void> };

/**
 * Collects the items of a group while the previous batch of the group is being written. Under load one statement serves
 * many items; without load no item waits.
 */
export class MicroBatcher<T> {
  readonly #options: MicroBatcherOptions<T>;
  /** The groups with items that are not written. */
  readonly #groups = new Map<string, Group<T>>();
  #isClosed = false;

  constructor(options: MicroBatcherOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the item is written or dropped. */
  add(item: T): Promise<void> {
    return new Promise((done) => {
      const key = this.#options.groupOf(item);
      const group = this.#groups.get(key);
      if (group) group.waiting.push({ item, done });
      else this.#begin(key, [{ item, done }]);
    });
  }

  async flush(): Promise<void> {
    while (this.#groups.size > 0) await Promise.all([...this.#groups.values()].map(({ ended }) => ended));
  }

  /** Stops retrying: a batch whose write fails after this call is dropped. */
  close(): void {
    this.#isClosed = true;
  }

  /** Waits for the end of this turn of the event loop, so that items that are added in it are written together. */
  #begin(key: string, waiting: Entry<T>[]): void {
    const begun = new Promise<void>((begin) => setImmediate(begin));
    this.#groups.set(key, { waiting, ended: begun.then(() => this.#drain(key, waiting)) });
  }

  async #drain(key: string, waiting: Entry<T>[]): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.splice(0, this.#options.maxSize);
      await this.#write(entries.map(({ item }) => item));
      for (const { done } of entries) done();
    }
    this.#groups.delete(key);
  }

  async #write(items: T[]): Promise<void> {
    const { write, onError, retries } = this.#options;
    for (;;) {
      try {
        return await write(items);
      } catch (error) {
        onError(error);
        if (!retries || this.#isClosed) return;
        await wait(RETRY_DELAY_MS);
      }
    }
  }
}
