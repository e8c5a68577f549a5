/** An exact decimal number: `digits` divided by 10 to the power of `scale`. Arithmetic with floats would round. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

export const ONE: Decimal = { digits: 1n, scale: 0 };
export const ZERO: Decimal = { digits: 0n, scale: 0 };

const NUMBER = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** The decimal number that JavaScript writes for a finite number. */
export function decimalOf(value: number): Decimal {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(String(value))!;
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * powerOfTen(-scale), scale: 0 };
}

export function sum(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale };
}

export function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function percent({ digits, scale }: Decimal): Decimal {
  return { digits, scale: scale + 2 };
}

export function negative({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

/** The digits of the same number with a scale that is at least its own. */
export function digitsAt({ digits, scale }: Decimal, larger: number): bigint {
  return digits * powerOfTen(larger - scale);
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
