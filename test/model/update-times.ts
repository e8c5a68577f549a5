import { isDeepStrictEqual } from 'node:util';
import { compare } from './play.ts';
import { comparableVariant } from './product.ts';
import { byId, KINDS, type Product, shown, type State } from './state.ts';
import { placeOf } from './stock.ts';
import { pathOf } from './tree.ts';

/** What `updatedAt` tells: it moves exactly when something of its record has changed. */
export class UpdateTimes {
  #read: ReadonlyMap<string, number> = new Map();
  #contents: ReadonlyMap<string, unknown> = new Map();
  #products: readonly Product[] = [];
  readonly #changed = new Set<string>();
  readonly #unknown = new Set<string>();

  /**
   * Plain SQL moves `updatedAt` only if it sets it. A revert, another order of the variants, and a variant that is added
   * in front of others can move the positions of variants.
   */
  note(after: State, operation: string): void {
    const contents = contentsOf(after);
    for (const [record, content] of contents) {
      if (isDeepStrictEqual(content, this.#contents.get(record))) continue;
      (operation === 'sql' ? this.#unknown : this.#changed).add(record);
      const [before, product] = [this.#products, after.products].map((products) => byId(products, record));
      if (!product || (before && operation !== 'revertChanges' && keepsOrder(before, product))) continue;
      for (const { id } of product.variants) this.#unknown.add(id);
    }
    this.#contents = contents;
    this.#products = after.products;
  }

  /** Compares the times of this read with those of the previous read. */
  check(times: ReadonlyMap<string, number>): void {
    for (const [record, time] of times) {
      const before = this.#read.get(record);
      const isChanged = this.#changed.has(record);
      if (before === undefined || (this.#unknown.has(record) && !isChanged)) continue;
      compare(`updatedAt of ${record} has moved`, time > before, isChanged);
    }
    this.#read = times;
    this.#changed.clear();
    this.#unknown.clear();
  }
}

/** Whether the variants that are not deleted are those of before in the same order, without some, and then others. */
function keepsOrder(before: Product, after: Product): boolean {
  const [former, ids] = [before, after].map(({ variants }) => shown(variants).map(({ id }) => id));
  const kept = former!.filter((id) => ids!.includes(id));
  return isDeepStrictEqual(kept, ids!.slice(0, kept.length));
}

/** The members that each `updatedAt` stands for, by the names that `timesOf` gives. */
function contentsOf({ named, automated, products, customers, stocks, slugs }: State): Map<string, unknown> {
  return new Map<string, unknown>([
    ...KINDS.flatMap((kind) =>
      named[kind].map((one) => [one.id, [one, pathOf(named[kind], one.id), slugs[one.id]]] as const),
    ),
    ...[...automated, ...customers].map((one) => [one.id, one] as const),
    ...products.flatMap(({ id, version, variants }) => [
      [id, version] as const,
      ...variants.map((one) => [one.id, comparableVariant(one)] as const),
    ]),
    ...stocks.map((one) => [placeOf(one), [one.openedAt, one.movements.length, one.deleted]] as const),
    ...Object.entries(slugs).map(([id, slug]) => [`page of ${id}`, slug] as const),
  ]);
}
