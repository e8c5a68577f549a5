import { setImmediate as nextTurn } from 'node:timers/promises';

/** More would make the first of a batch wait for long. */
const MAX_BATCH = 100;

type Waiting = { item: unknown; resolve: (result: unknown) => void; reject: (error: unknown) => void };

type Group = { waiting: Waiting[]; ended: Promise<void> };

type Options = {
  /** The first batch begins after this turn of the event loop, with all items that are added in it. */
  isDeferred?: boolean;
};

/**
 * Executes items in batches. Of each name only one batch is executed at a time; the items that arrive during it are the
 * next batch. No batch waits until it is full, so an item that arrives alone is executed at once.
 */
export class Batches {
  readonly #isDeferred: boolean;
  /** The names of which a batch is executed, with what waits for its end. */
  readonly #groups = new Map<string, Group>();

  constructor({ isDeferred = false }: Options = {}) {
    this.#isDeferred = isDeferred;
  }

  /** Adds an item. `execute` returns a result for each item of a batch, in their order; if it fails, all of them fail. */
  async run<Item, Result>(
    name: string,
    item: Item,
    execute: (items: Item[]) => Promise<readonly Result[]>,
  ): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      const own: Waiting = { item, resolve: resolve as Waiting['resolve'], reject };
      const group = this.#groups.get(name);
      if (group) return void group.waiting.push(own);
      const begun: Group = { waiting: [own], ended: Promise.resolve() };
      this.#groups.set(name, begun);
      begun.ended = this.#executeAll(name, begun, execute as (items: unknown[]) => Promise<readonly unknown[]>);
    });
  }

  /** Waits until no item is left. */
  async flush(): Promise<void> {
    while (this.#groups.size > 0) await Promise.all([...this.#groups.values()].map(({ ended }) => ended));
  }

  async #executeAll(
    name: string,
    { waiting }: Group,
    execute: (items: unknown[]) => Promise<readonly unknown[]>,
  ): Promise<void> {
    if (this.#isDeferred) await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      try {
        const results = await execute(batch.map(({ item }) => item));
        for (const [n, { resolve }] of batch.entries()) resolve(results[n]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#groups.delete(name);
  }
}
