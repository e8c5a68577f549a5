/** What waits, in a line for each owner. The owners take turns; a line keeps its order. */
export class Lines<T extends { readonly owner: string }> {
  /** The owner whose turn is next comes first. */
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  lengthOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(item: T): void {
    const line = this.#lines.get(item.owner);
    if (line) line.push(item);
    else this.#lines.set(item.owner, [item]);
    this.#size += 1;
  }

  /** The one whose turn is next of those that are ready. */
  next(isReady: (item: T) => boolean): T | undefined {
    for (const [first] of this.#lines.values()) if (isReady(first!)) return first;
    return undefined;
  }

  /** The owner had its turn: its next one is after all others'. */
  rotate(owner: string): void {
    const line = this.#lines.get(owner)!;
    this.#lines.delete(owner);
    this.#lines.set(owner, line);
  }

  remove(item: T): void {
    const line = this.#lines.get(item.owner)!;
    line.splice(line.indexOf(item), 1);
    if (line.length === 0) this.#lines.delete(item.owner);
    this.#size -= 1;
  }

  /** The last of the longest line. */
  last(): T | undefined {
    let longest: T[] = [];
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line;
    return longest.at(-1);
  }
}
