import {
  type Decimal,
  decimalOf,
  digitsAt,
  negative,
  ONE,
  percent,
  powerOfTen,
  product,
  sum,
  ZERO,
} from './exact-decimal.ts';
import type { RuleListEntry } from './price-list-input.ts';
import { type Rounding, roundingOf, toDecimals } from './price-rounding.ts';
import { PRICE_DECIMALS } from './price-units.ts';

/** Computes a price from another one, both as units (see `unitsOf`). */
type Compute = (units: bigint) => bigint;

/** Buy prices are converted only: the rules of a list do not change what the merchant pays. */
type PriceFunctions = { readonly shopPrice: Compute; readonly buyPrice: Compute };

/** An entry of a rule list, prepared for many prices. */
export type PriceFormula = {
  readonly basePriceListId: string | null;
  /** For prices in the currency of the base. */
  readonly converting: PriceFunctions;
  /** For prices that have the currency of the list already. */
  readonly converted: PriceFunctions;
};

/**
 * Null for a rate that the service does not know, and for a rounding format that it cannot read. `usual` gives the
 * rounding of entries without a format.
 */
export function priceFormula(entry: RuleListEntry, usual: () => Rounding): PriceFormula | null {
  const { currencyRateSettings: settings, currencySettings, rules } = entry;
  if (settings && (settings.type === 'CURRENT_RATE' || settings.amount == null)) return null;
  const format = currencySettings.roundingFormat ?? '';
  const rounding = format === '' ? usual() : roundingOf(format);
  if (!rounding) return null;
  const { factor, summand } = combined(rules);
  const withRate = (rate: Decimal): PriceFunctions => ({
    shopPrice: computation(product(rate, factor), summand, rounding),
    buyPrice: computation(rate, ZERO, toDecimals(PRICE_DECIMALS)),
  });
  const converted = withRate(ONE);
  const converting = settings ? withRate(decimalOf(settings.amount!)) : converted;
  return { basePriceListId: entry.basePriceListId ?? null, converting, converted };
}

/** The rules one after the other multiply a price by `factor` and add `summand`. */
function combined(rules: RuleListEntry['rules']): { factor: Decimal; summand: Decimal } {
  let [factor, summand] = [ONE, ZERO];
  for (const { amount, amountType, operationType } of rules) {
    const change = operationType === 'INCREASE' ? decimalOf(amount) : negative(decimalOf(amount));
    if (amountType === 'AMOUNT') {
      summand = sum(summand, change);
    } else {
      const multiplier = sum(ONE, percent(change));
      factor = product(factor, multiplier);
      summand = product(summand, multiplier);
    }
  }
  return { factor, summand };
}

/**
 * Multiplies, adds, and rounds to the nearest `ending + n * step` with n of at least 0, the higher one in the middle of
 * two. A value of 0 or less is 0. All is counted in half units of a common scale, so that a price takes one
 * multiplication and one division of whole numbers.
 */
function computation(factor: Decimal, summand: Decimal, { ending, step, scale }: Rounding): Compute {
  const common = Math.max(factor.scale + PRICE_DECIMALS, summand.scale, scale);
  const times = 2n * digitsAt(factor, common - PRICE_DECIMALS);
  const plus = 2n * digitsAt(summand, common);
  const width = 2n * digitsAt({ digits: step, scale }, common);
  const toNearest = width / 2n - 2n * digitsAt({ digits: ending, scale }, common);
  const unit = powerOfTen(PRICE_DECIMALS - scale);
  return (units) => {
    const value = units * times + plus;
    if (value <= 0n) return 0n;
    const steps = value + toNearest;
    return (steps > 0n ? ending + (steps / width) * step : ending) * unit;
  };
}
