import { MAX_COUNT } from '../../stock/entry/refused-entries.ts';

/** What `JSON.rawJSON` returns: JSON.stringify writes the text as it is. */
type ExactCount = { readonly rawJSON: string };

/** Of `stock_count`, which is numeric(19, 6). */
const DECIMALS = 6;
const MAX_UNITS = BigInt(MAX_COUNT) * 10n ** BigInt(DECIMALS);

/** A stock count with all its digits. A 64-bit float has too few for the sixth decimal of ten billion. */
export function exactCount(text: string): object {
  return JSON.rawJSON(text);
}

/** A stock count that others have changed since keeps their changes: the opposite of the change is added to it. */
export function withoutChange(found: unknown, before: unknown, after: unknown): object {
  const units = unitsOf(found) - (unitsOf(after) - unitsOf(before));
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
  return exactCount(units < 0n ? `-${text}` : text);
}

export function isOutside(count: unknown): boolean {
  const units = unitsOf(count);
  return units > MAX_UNITS || units < -MAX_UNITS;
}

export function isZero(count: unknown): boolean {
  return unitsOf(count) === 0n;
}

/** Null, which is no count yet, is 0. */
function unitsOf(count: unknown): bigint {
  const [whole, fraction = ''] = ((count as ExactCount | null)?.rawJSON ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}
