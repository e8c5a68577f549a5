import { setTimeout as wait } from 'node:timers/promises';

const RETRY_DELAY_MS = 250;

export type MicroBatcherOptions<T> = {
  write: (items: T[]) => Promise<void>;
  maxSize: number;
  /** Called with each failed write. */
  onError: (error: unknown) => void;
  /** Whether a failed batch is written again, until `close`; otherwise it is dropped. */
  retries: boolean;
};

/**
 * Collects items while the previous batch is being written. Under load one statement serves many items; without
 * load no item waits.
 */
export class MicroBatcher<T> {
  readonly #options: MicroBatcherOptions<T>;
  #waiting: { item: T; done: () => void }[] = [];
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: MicroBatcherOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the item is written or dropped. */
  add(item: T): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ item, done });
      // Items added in the same turn of the event loop are written together.
      this.#writing ??= new Promise<void>((begin) => setImmediate(begin)).then(() => this.#drain());
    });
  }

  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Stops retrying: a batch whose write fails after this call is dropped. */
  close(): void {
    this.#isClosed = true;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, this.#options.maxSize);
      await this.#write(entries.map(({ item }) => item));
      for (const { done } of entries) done();
    }
    this.#writing = null;
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
