/** One queue per owner. Owners are served round robin, and the items of one owner in order. */
export class RoundRobinQueue<T extends { readonly owner: string }> {
  /** In insertion order: the first owner is the next one to be served. */
  readonly #queues = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  lengthOf(owner: string): number {
    return this.#queues.get(owner)?.length ?? 0;
  }

  push(item: T): void {
    const queue = this.#queues.get(item.owner);
    if (queue) queue.push(item);
    else this.#queues.set(item.owner, [item]);
    this.#size += 1;
  }

  /** The first owner's item that is ready. Only the first item of each owner is considered. */
  next(isReady: (item: T) => boolean): T | undefined {
    for (const [first] of this.#queues.values()) if (isReady(first!)) return first;
    return undefined;
  }

  /** Removes an item that is served now, and moves its owner to the end. */
  take(item: T): void {
    const queue = this.#queues.get(item.owner)!;
    this.#queues.delete(item.owner);
    this.#queues.set(item.owner, queue);
    this.remove(item);
  }

  /** Removes an item that is not served; its owner keeps its place. */
  remove(item: T): void {
    const queue = this.#queues.get(item.owner)!;
    queue.splice(queue.indexOf(item), 1);
    if (queue.length === 0) this.#queues.delete(item.owner);
    this.#size -= 1;
  }

  /** The last item of the longest queue. */
  last(): T | undefined {
    let longest: T[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1);
  }
}
