import { decimalOf, digitsAt, powerOfTen } from './exact-decimal.ts';

/** Decimals of stored prices. */
export const PRICE_DECIMALS = 6;

const UNITS = 10 ** PRICE_DECIMALS;
/** Prices below it have less than 2^53 units, which a float counts exactly. */
const EXACT_BELOW = 1_000_000_000;

/** A price as a whole number of units of 0.000001. Plain SQL can store more decimals: they are rounded. */
export function unitsOf(price: number): bigint {
  if (Math.abs(price) < EXACT_BELOW) return BigInt(Math.round(price * UNITS));
  const decimal = decimalOf(price);
  if (decimal.scale <= PRICE_DECIMALS) return digitsAt(decimal, PRICE_DECIMALS);
  const divisor = powerOfTen(decimal.scale - PRICE_DECIMALS);
  return (decimal.digits + ((decimal.digits < 0n ? -1n : 1n) * divisor) / 2n) / divisor;
}

/** The 64-bit float nearest to the price. */
export function priceOf(units: bigint): number {
  return units < EXACT_BELOW * UNITS ? Number(units) / UNITS : Number(`${units}e-${PRICE_DECIMALS}`);
}
