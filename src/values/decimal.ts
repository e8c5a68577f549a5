/** The absolute value of input numbers is below this. The SDL documents it. */
export const NUMBER_LIMIT = 10_000_000_000_000;
/** The column type of amounts is numeric(19, 6). */
const AMOUNT_DECIMALS = 6;
/** Relative rounding error of arithmetic with 64-bit floats: 0.1 + 0.2 is 0.30000000000000004. */
const ROUNDING_ERROR = 1e-12;
/** A 64-bit float represents every decimal number of this many digits. */
const MEASURE_DIGITS = 15;
/** Smallest absolute value of a measure other than 0. */
const MIN_MEASURE = 1e-12;

export const AMOUNT_RULE = 'must have at most 6 decimals and be less than 10,000,000,000,000 in size';
export const MEASURE_RULE = 'must be 0, or at least 1e-12 and less than 10,000,000,000,000 in size';

/** Money, counts and quantities: the stored decimal, or null if rounding would change more than a rounding error. */
export function asAmount(value: number): number | null {
  if (!isInRange(value)) return null;
  if (Number.isSafeInteger(value)) return value;
  const rounded = Number(value.toFixed(AMOUNT_DECIMALS));
  return isInRange(rounded) && Math.abs(value - rounded) <= Math.abs(value) * ROUNDING_ERROR ? rounded : null;
}

/** Weights, ratios and positions, which clients may have computed by division: rounded to 15 significant digits. */
export function asMeasure(value: number): number | null {
  if (!isInRange(value)) return null;
  if (Number.isSafeInteger(value)) return value;
  const rounded = Number(value.toPrecision(MEASURE_DIGITS));
  return isInRange(rounded) && Math.abs(rounded) >= MIN_MEASURE ? rounded : null;
}

/** A number that amounts are compared with, without its rounding error. Any number may be compared, so none is refused. */
export function withoutRoundingError(value: number): number {
  return asAmount(value) ?? value;
}

function isInRange(value: number): boolean {
  return Math.abs(value) < NUMBER_LIMIT;
}
