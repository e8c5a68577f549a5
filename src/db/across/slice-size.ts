import { isTimeout } from '../errors/database-error.ts';

/**
 * The number of rows or records that a task handles in one transaction. It is halved after each timeout and stays so, since
 * the next ones are as large: a task that repeats the same slice would never end.
 */
export class SliceSize {
  #size: number;

  constructor(max: number) {
    this.#size = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Calls `work` with a size, and after a timeout again with a smaller one. Throws the timeout of a single row. */
  async run<T>(work: (size: number) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work(this.#size);
      } catch (error) {
        if (this.#size === 1 || !isTimeout(error)) throw error;
        this.#size = Math.ceil(this.#size / 2);
      }
    }
  }
}
