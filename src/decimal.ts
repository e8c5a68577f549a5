/** Numbers of inputs are smaller in size than this; the SDL says so too. */
export const NUMBER_LIMIT = 10_000_000_000_000;
/** The column type of amounts is numeric(19, 6). */
const AMOUNT_DECIMALS = 6;
/** What arithmetic with 64-bit floats adds to a decimal, relative to it: 0.1 + 0.2 is 0.30000000000000004. */
const NOISE = 1e-12;
/** A 64-bit float keeps each decimal number of so many digits. */
const MEASURE_DIGITS = 15;
/** Smallest size of a measure but for 0. */
const MEASURE_MIN = 1e-12;

export const AMOUNT_RULE = 'must have at most 6 decimals and be less than 10,000,000,000,000 in size';
export const MEASURE_RULE = 'must be 0, or at least 1e-12 and less than 10,000,000,000,000 in size';

/** Money, counts and quantities: the decimal that is stored, or null where more than noise would be lost. */
export function asAmount(value: number): number | null {
  if (!isInRange(value)) return null;
  if (Number.isSafeInteger(value)) return value;
  const rounded = Number(value.toFixed(AMOUNT_DECIMALS));
  return isInRange(rounded) && Math.abs(value - rounded) <= Math.abs(value) * NOISE ? rounded : null;
}

/**
 * Weights, ratios and places in an order, which clients may have divided: 15 digits, however many of them are decimals.
 */
export function asMeasure(value: number): number | null {
  if (!isInRange(value)) return null;
  if (Number.isSafeInteger(value)) return value;
  const rounded = Number(value.toPrecision(MEASURE_DIGITS));
  return isInRange(rounded) && Math.abs(rounded) >= MEASURE_MIN ? rounded : null;
}

/** Whether a 64-bit float reads the text of a number as 0 though it is not 0, such as 1e-400. */
export function underflows(text: string): boolean {
  return Number(text) === 0 && /^[^eE]*[1-9]/.test(text);
}

function isInRange(value: number): boolean {
  return Math.abs(value) < NUMBER_LIMIT;
}
