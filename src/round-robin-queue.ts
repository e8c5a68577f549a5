/** A queue for each owner. Owners are served round robin, the items of one owner in their order. */
export class RoundRobinQueue<T extends { readonly owner: string }> {
  /** The owner to be served next comes first. */
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

  /** The first item that is ready of the owners' first items. */
  next(isReady: (item: T) => boolean): T | undefined {
    for (const [first] of this.#queues.values()) if (isReady(first!)) return first;
    return undefined;
  }

  /** Takes an item that is served: its owner comes after all others now. */
  serve(item: T): void {
    const queue = this.#queues.get(item.owner)!;
    this.#queues.delete(item.owner);
    this.#queues.set(item.owner, queue);
    this.remove(item);
  }

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
