import { setTimeout as wait } from 'node:timers/promises';

const RETRY_DELAY_MS = 250;

export type BatchOptions<T> = {
  write: (items: T[]) => Promise<void>;
  sizeMax: number;
  /** Called with each failure. True gives the items up; otherwise they are written again. */
  givesUp: (error: unknown) => boolean;
};

/**
 * Collects items while the batch before is being written: under load one statement serves many items, and
 * without load none waits.
 */
export class MicroBatcher<T> {
  readonly #options: BatchOptions<T>;
  #waiting: { item: T; done: () => void }[] = [];
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: BatchOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the item is written or given up. */
  add(item: T): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ item, done });
      // Items that are added in the same pass of the event loop are written together.
      this.#writing ??= new Promise<void>((begin) => setImmediate(begin)).then(() => this.#drain());
    });
  }

  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** From now on what cannot be written is given up. */
  close(): void {
    this.#isClosed = true;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, this.#options.sizeMax);
      await this.#write(entries.map(({ item }) => item));
      for (const { done } of entries) done();
    }
    this.#writing = null;
  }

  async #write(items: T[]): Promise<void> {
    for (;;) {
      try {
        return await this.#options.write(items);
      } catch (error) {
        if (this.#options.givesUp(error) || this.#isClosed) return;
        await wait(RETRY_DELAY_MS);
      }
    }
  }
}
