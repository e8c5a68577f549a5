import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { mapInSlices, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { type ListHistory, listHistory, UNCHANGED_LIST } from './list-history.ts';
import type { PriceChange, PriceHistory } from './lowest-price.ts';
import type { PriceChanges, VariantChange } from './price-changes.ts';

/** `inheritedCurrency`: the one that a price without a currency of its own has. */
export type PricePlace = {
  readonly productId: string;
  readonly variantId: string;
  readonly priceListId: string | null;
  readonly inheritedCurrency: string | null;
};

type Row = { readonly index: number; readonly price: StoredPrice | null };
/** The changes of a variant, the last one first, and by price list the rows that they replaced. */
type VariantHistory = { readonly changes: PriceChange[]; readonly rows: Map<string | null, Row[]> };

/** Null for more changes than one request may read. */
export async function priceHistories(ctx: SlicedContext, json: unknown): Promise<PriceHistories | null> {
  if (json === null) return null;
  const { changes, lists, sinceMs, currencySinceMs } = json as PriceChanges;
  const byList = Map.groupBy(lists, ({ listId }) => listId);
  const histories = new Map<string | null, ListHistory>([...byList].map(([id, own]) => [id, listHistory(own)]));
  histories.set(null, { ...UNCHANGED_LIST, currencySinceMs });
  const grouped = new PriceHistories(sinceMs, histories);
  await mapInSlices(ctx, changes, (change) => grouped.add(change));
  return grouped;
}

/**
 * The histories of the prices of a page. The changes are grouped once, so that each price sees only its own: a page can
 * have 14,000 changes, and thousands of prices.
 */
export class PriceHistories {
  readonly #sinceMs: number | null;
  readonly #lists: ReadonlyMap<string | null, ListHistory>;
  readonly #variants = new Map<string, VariantHistory>();
  /** By product the last change without values. Nothing before it is known. */
  readonly #truncated = new Map<string, PriceChange>();

  constructor(sinceMs: number | null, lists: ReadonlyMap<string | null, ListHistory>) {
    this.#sinceMs = sinceMs;
    this.#lists = lists;
  }

  /** Adds a change that is earlier than those of its product which were added before. */
  add({ id, atMs, productId, variantId, before }: VariantChange): void {
    // What was recorded before the history was ended, and begun again later, has a gap after it.
    if (atMs < (this.#sinceMs ?? Infinity) || this.#truncated.has(productId)) return;
    const change = { id, atMs, before: null, isCreated: before?.isCreated ?? false, isTruncated: variantId === null };
    if (variantId === null) this.#truncated.set(productId, change);
    else addChange(this.#variant(productId, variantId), change, before?.prices);
  }

  /** The history of one price, of which `stored` is the last state. */
  of({ productId, variantId, priceListId, inheritedCurrency }: PricePlace, stored: StoredPrice | null): PriceHistory {
    const own = changesOf(this.#variant(productId, variantId), priceListId);
    const truncated = this.#truncated.get(productId);
    return {
      present: stored,
      sinceMs: this.#sinceMs,
      changes: truncated ? [...own, truncated] : own,
      list: this.#lists.get(priceListId) ?? UNCHANGED_LIST,
      inheritedCurrency,
    };
  }

  #variant(productId: string, variantId: string): VariantHistory {
    return this.#variants.getOrInsertComputed(`${productId} ${variantId}`, () => ({ changes: [], rows: new Map() }));
  }
}

function addChange({ changes, rows }: VariantHistory, change: PriceChange, prices: unknown): void {
  const index = changes.push(change) - 1;
  for (const price of rowsOf(prices)) {
    const own = rows.getOrInsertComputed(price.priceListId ?? null, (): Row[] => []);
    if (own.at(-1)?.index !== index) own.push({ index, price: withAmount(price) });
  }
}

/**
 * The changes of one price. While the variant had no such price, several changes may follow each other. Of these only the
 * newest one is listed. The oldest change of all is listed too, because it may have created the variant.
 */
function changesOf({ changes, rows }: VariantHistory, priceListId: string | null): PriceChange[] {
  const own: PriceChange[] = [];
  let next = 0;
  for (const { index, price } of rows.get(priceListId) ?? []) {
    if (index > next) own.push(changes[next]!);
    own.push({ ...changes[index]!, before: price });
    next = index + 1;
  }
  if (next < changes.length) own.push(changes[next]!);
  if (next + 1 < changes.length) own.push(changes.at(-1)!);
  return own;
}

/** The row of a price list, or the base price. */
export function priceIn(prices: unknown, priceListId: string | null): StoredPrice | null {
  const row = rowsOf(prices).find((price) => (price.priceListId ?? null) === priceListId);
  return row ? withAmount(row) : null;
}

/** Plain SQL may have stored something else than a list of prices. */
function rowsOf(prices: unknown): StoredPrice[] {
  return Array.isArray(prices) ? (prices as (StoredPrice | null)[]).filter((price) => price !== null) : [];
}

function withAmount(price: StoredPrice): StoredPrice | null {
  return Number.isFinite(price.sellPrice) ? price : null;
}
