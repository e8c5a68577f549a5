import { PRICE_DECIMALS } from './price-units.ts';

/** Digits of a rounding format before the point: prices have at most 13. */
const MAX_WHOLE_DIGITS = 12;
const FORMAT = new RegExp(`^(\\d{0,${MAX_WHOLE_DIGITS}})(?:[.,](\\d{1,${PRICE_DECIMALS}}))?$`);
/** Decimals of a currency that Intl does not know. Only plain SQL can store one. */
const USUAL_DECIMALS = 2;

export const ROUNDING_FORMAT_RULE = 'must be digits with at most one point, such as 0.99, 9.95 or 0';

/** Results are `ending` plus a multiple of `step`. Both count units of the last decimal, of which there are `scale`. */
export type Rounding = { readonly ending: bigint; readonly step: bigint; readonly scale: number };

/**
 * The rounding of a format: results end in its digits. A single 0 before the point, or none, stands for any whole
 * number. Null if the format cannot be read.
 */
export function roundingOf(format: string): Rounding | null {
  const [, whole = '', decimals = ''] = FORMAT.exec(format) ?? [];
  if (whole === '' && decimals === '') return null;
  const fixed = whole === '0' ? '' : whole;
  const step = 10n ** BigInt(fixed.length + decimals.length);
  return { ending: BigInt(fixed + decimals), step, scale: decimals.length };
}

export function toDecimals(scale: number): Rounding {
  return { ending: 0n, step: 1n, scale };
}

/** To the decimals of a currency: 2 for EUR, 0 for JPY. */
export function toCurrency(currency: string): Rounding {
  return toDecimals(decimalsOf(currency));
}

function decimalsOf(currency: string): number {
  try {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    return maximumFractionDigits ?? USUAL_DECIMALS;
  } catch {
    return USUAL_DECIMALS;
  }
}
