import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { mapInSlices, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { NUMBER_LIMIT } from '../../values/decimal.ts';
import { priceFormulas } from '../../price-list/dynamic-list.ts';
import type { PriceFormula } from '../../price-list/price-formula.ts';
import { priceOf, unitsOf } from '../../price-list/price-units.ts';
import { byPriceList } from '../merge/merge-variant.ts';
import type { DynamicPriceList, DynamicPriceLists } from './dynamic-price-lists.ts';
import type { ShownPrice } from './price-currency.ts';

const MAX_UNITS = unitsOf(NUMBER_LIMIT);

type ComputingList = { readonly list: DynamicPriceList; readonly formulas: readonly PriceFormula[] };
/** The currency and its code that rows of a list without a currency of their own have. */
type InheritedCurrency = readonly (string | null)[];
/**
 * A price of a variant in units. `currency` is the one that a saved row names; null means that of its price list, which
 * the row may also name: plain SQL can have stored it, or the list took the currency of the row later.
 */
type FoundPrice = {
  readonly sellPrice: bigint;
  readonly discountPrice: bigint | null;
  readonly buyPrice: bigint | null;
  readonly currency: string | null;
};
/** The prices of one variant: the saved rows, and what was found so far, by price list. */
type VariantPrices = {
  readonly rows: readonly StoredPrice[];
  readonly found: Map<string | null, FoundPrice | null>;
};

/** Prepares the dynamic price lists of a page, which have up to 5,000 rules. Null if none of them computes prices. */
export async function computedPrices(ctx: SlicedContext, json: unknown): Promise<ComputedPrices | null> {
  if (json === null) return null;
  const { lists, bases, currencyCode } = json as DynamicPriceLists;
  const prepared = await mapInSlices(ctx, lists, (list): ComputingList => {
    return { list, formulas: priceFormulas(list.ruleList, list.currency) };
  });
  const computing = prepared.filter(({ formulas }) => formulas.length > 0);
  const inherited = new Map<string | null, InheritedCurrency>([
    [null, [currencyCode]],
    ...(bases ?? []).map((base) => [base.id, [base.currency, base.currencyCode]] as const),
  ]);
  return computing.length > 0 ? new ComputedPrices(computing, inherited) : null;
}

export class ComputedPrices {
  readonly #lists: ReadonlyMap<string, ComputingList>;
  readonly #automatic: readonly string[];
  readonly #inherited: ReadonlyMap<string | null, InheritedCurrency>;

  /** `inherited`: the currencies of base prices, and of the lists that rules start from. */
  constructor(lists: readonly ComputingList[], inherited: ReadonlyMap<string | null, InheritedCurrency>) {
    this.#inherited = inherited;
    this.#lists = new Map(lists.map((one) => [one.list.id, one]));
    this.#automatic = lists.filter(({ list }) => list.addProductsAutomatically).map(({ list }) => list.id);
  }

  /** `applied` are the ids of the lists that the product names. Saved rows of lists that compute are not shown. */
  shown(saved: readonly StoredPrice[], applied: readonly string[]): ShownPrice[] {
    const rows = saved.filter(({ priceListId }) => !this.#lists.has(priceListId ?? ''));
    const prices: VariantPrices = { rows, found: new Map() };
    const computed = [...new Set([...this.#automatic, ...applied])].flatMap((id): ShownPrice[] => {
      const computing = this.#lists.get(id);
      const price = computing && this.#find(id, prices);
      return price ? [shownPrice(price, computing.list)] : [];
    });
    return computed.length > 0 ? [...rows, ...computed].sort(byPriceList) : rows;
  }

  /** The variant's price in a list, computed or saved. */
  #find(id: string | null, prices: VariantPrices): FoundPrice | null {
    const { rows, found } = prices;
    const known = found.get(id);
    if (known !== undefined) return known;
    // A list that is based on itself has no price. Plain SQL can store one.
    found.set(id, null);
    const computing = id === null ? undefined : this.#lists.get(id);
    const price = computing ? this.#compute(computing, prices) : savedPrice(id, rows, this.#inherited.get(id));
    found.set(id, price);
    return price;
  }

  /** The first entry of the rules that gives a price decides. */
  #compute({ list, formulas }: ComputingList, prices: VariantPrices): FoundPrice | null {
    for (const formula of formulas) {
      const base = this.#find(formula.basePriceListId, prices);
      const price = base && computedPrice(base, formula, list);
      if (price) return price;
    }
    return null;
  }
}

/**
 * Null if the base has another currency than its list and this one, so that the rate is not for it, or if a result is
 * too large to be a price.
 */
function computedPrice(
  { sellPrice, discountPrice, buyPrice, currency }: FoundPrice,
  { converting, converted }: PriceFormula,
  list: DynamicPriceList,
): FoundPrice | null {
  if (currency !== null && currency !== list.currency && currency !== list.currencyCode) return null;
  const functions = currency === null ? converting : converted;
  const price = {
    sellPrice: functions.shopPrice(sellPrice),
    discountPrice: discountPrice === null ? null : functions.shopPrice(discountPrice),
    buyPrice: buyPrice === null ? null : functions.buyPrice(buyPrice),
    currency: null,
  };
  const isTooLarge = [price.sellPrice, price.discountPrice, price.buyPrice].some((units) => (units ?? 0n) >= MAX_UNITS);
  return isTooLarge ? null : price;
}

function savedPrice(
  id: string | null,
  rows: readonly StoredPrice[],
  inherited: InheritedCurrency = [],
): FoundPrice | null {
  const row = rows.find(({ priceListId }) => (priceListId ?? null) === id);
  if (!row || !Number.isFinite(row.sellPrice)) return null;
  return {
    sellPrice: unitsOf(row.sellPrice),
    discountPrice: Number.isFinite(row.discountPrice) ? unitsOf(row.discountPrice!) : null,
    buyPrice: Number.isFinite(row.buyPrice) ? unitsOf(row.buyPrice!) : null,
    currency: row.currency == null || inherited.includes(row.currency) ? null : row.currency,
  };
}

function shownPrice({ sellPrice, discountPrice, buyPrice }: FoundPrice, list: DynamicPriceList): ShownPrice {
  return {
    sellPrice: priceOf(sellPrice),
    buyPrice: buyPrice === null ? null : priceOf(buyPrice),
    discountPrice: discountPrice === null ? null : priceOf(discountPrice),
    currency: null,
    priceListId: list.id,
    computedBy: list,
  };
}
