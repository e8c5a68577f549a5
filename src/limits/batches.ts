/** More would make the first of a batch wait for long. */
const MAX_BATCH = 100;

type Waiting = { item: unknown; resolve: (result: unknown) => void; reject: (error: unknown) => void };

/**
 * Executes items in batches. Of each name only one batch is executed at a time; the items that arrive during it are the
 * next batch. No batch waits until it is full, so an item that arrives alone is executed at once.
 */
export class Batches {
  /** The names of which a batch is executed, with what waits for its end. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Adds an item. `execute` returns a result for each item of a batch, in their order; if it fails, all of them fail. */
  async run<Item, Result>(
    name: string,
    item: Item,
    execute: (items: Item[]) => Promise<readonly Result[]>,
  ): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      const waiting = this.#waiting.get(name);
      const own: Waiting = { item, resolve: resolve as Waiting['resolve'], reject };
      if (waiting) return void waiting.push(own);
      this.#waiting.set(name, [own]);
      void this.#executeAll(name, execute as (items: unknown[]) => Promise<readonly unknown[]>);
    });
  }

  async #executeAll(name: string, execute: (items: unknown[]) => Promise<readonly unknown[]>): Promise<void> {
    for (let waiting = this.#waiting.get(name)!; waiting.length > 0;) {
      const batch = waiting.splice(0, MAX_BATCH);
      try {
        const results = await execute(batch.map(({ item }) => item));
        for (const [n, { resolve }] of batch.entries()) resolve(results[n]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(name);
  }
}
