/** The price rows of a variant, for a calculation that shares no code with the service: see `oraclePrice`. */
export type OracleRow = {
  priceListId: string | null;
  sellPrice: number;
  buyPrice: number | null;
  discountPrice: number | null;
  currency?: string | null;
};
export type OracleEntry = {
  basePriceListId: string | null;
  currencyRateSettings: { type: string; amount?: number | null } | null;
  currencySettings: { roundingFormat: string | null };
  rules: { amount: number; amountType: string; operationType: string }[];
};
export type OracleList = {
  id: string;
  type: string | null;
  currency: string;
  deleted?: boolean;
  ruleList: OracleEntry[];
};

type Fraction = [numerator: bigint, denominator: bigint];
type Money = {
  sellPrice: Fraction;
  buyPrice: Fraction | null;
  discountPrice: Fraction | null;
  /** The row's own currency, or null. */
  currency: string | null;
};

const CURRENCY_DECIMALS: Record<string, number> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };
const TOO_LARGE = 10n ** 13n;

/**
 * The computed row of a list, or null. Follows the description of `PriceList.ruleList`, with fractions, and rounds by
 * comparing the results below and above.
 */
export function oraclePrice(
  id: string,
  lists: ReadonlyMap<string, OracleList>,
  saved: readonly OracleRow[],
  merchantCurrency: string,
): OracleRow | null {
  const money = moneyIn(id, lists, saved, merchantCurrency);
  if (!money) return null;
  const { sellPrice, buyPrice, discountPrice } = money;
  return {
    priceListId: id,
    sellPrice: asNumber(sellPrice),
    buyPrice: buyPrice && asNumber(buyPrice),
    discountPrice: discountPrice && asNumber(discountPrice),
  };
}

/** Whether the prices of the list are its saved rows, whatever rules it has. */
export function savesPrices({ type }: OracleList): boolean {
  return type === 'MANUAL' || type === null;
}

function moneyIn(
  id: string | null,
  lists: ReadonlyMap<string, OracleList>,
  saved: readonly OracleRow[],
  merchantCurrency: string,
): Money | null {
  const list = id === null ? null : lists.get(id)!;
  const currency = list?.currency ?? merchantCurrency;
  if (list?.deleted) return null;
  if (!list || savesPrices(list)) {
    const row = saved.find(({ priceListId }) => priceListId === id);
    if (!row) return null;
    return {
      sellPrice: fraction(row.sellPrice),
      buyPrice: row.buyPrice === null ? null : fraction(row.buyPrice),
      discountPrice: row.discountPrice === null ? null : fraction(row.discountPrice),
      currency: row.currency === currency ? null : (row.currency ?? null),
    };
  }
  for (const { basePriceListId, currencyRateSettings: settings, currencySettings, rules } of list.ruleList) {
    if (settings && (settings.type === 'CURRENT_RATE' || settings.amount == null)) continue;
    const base = moneyIn(basePriceListId, lists, saved, merchantCurrency);
    if (!base) continue;
    if (base.currency !== null && base.currency !== currency) continue;
    const rate = base.currency === currency ? fraction(1) : fraction(settings?.amount ?? 1);
    const changed = (price: Fraction) => {
      let [n, d] = times(price, rate);
      for (const { amount, amountType, operationType } of rules) {
        const [an, ad] = fraction(operationType === 'INCREASE' ? amount : -amount);
        [n, d] = amountType === 'AMOUNT' ? [n * ad + an * d, d * ad] : [n * (100n * ad + an), d * 100n * ad];
      }
      return nearest([n, d], currencySettings.roundingFormat, currency);
    };
    const money = {
      sellPrice: changed(base.sellPrice),
      discountPrice: base.discountPrice && changed(base.discountPrice),
      buyPrice: base.buyPrice && halfUp(times(base.buyPrice, rate), 6),
      currency: null,
    };
    const all = [money.sellPrice, money.discountPrice, money.buyPrice];
    if (all.every((price) => !price || price[0] < TOO_LARGE * price[1])) return money;
  }
  return null;
}

function fraction(value: number): Fraction {
  const [whole = '', decimals = ''] = value.toFixed(12).split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

function times([n, d]: Fraction, [m, e]: Fraction): Fraction {
  return [n * m, d * e];
}

function halfUp([n, d]: Fraction, decimals: number): Fraction {
  const unit = 10n ** BigInt(decimals);
  if (n <= 0n) return [0n, 1n];
  return [(2n * n * unit + d) / (2n * d), unit];
}

/** Compares the results below and above the value. */
function nearest(value: Fraction, format: string | null, currency: string): Fraction {
  const [n, d] = value;
  if (n <= 0n) return [0n, 1n];
  if (format === null) return halfUp(value, CURRENCY_DECIMALS[currency]!);
  const [whole = '', decimals = ''] = format.replace(',', '.').split('.');
  const ending = BigInt(whole + decimals);
  const step = 10n ** BigInt((whole === '0' ? 0 : whole.length) + decimals.length);
  const unit = 10n ** BigInt(decimals.length);
  const about = (n * unit) / d / step;
  const distance = (result: bigint): bigint => {
    const difference = result * d - n * unit;
    return difference < 0n ? -difference : difference;
  };
  const results = [about - 1n, about, about + 1n]
    .map((times) => ending + times * step)
    .filter((result) => result >= ending);
  const best = results.reduce((one, other) => (distance(other) <= distance(one) ? other : one));
  return [best, unit];
}

function asNumber([n, d]: Fraction): number {
  const digits = (n * 1_000_000n) / d;
  return Number(`${digits}e-6`);
}
