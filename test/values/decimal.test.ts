import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asAmount, asMeasure } from '../../src/values/decimal.ts';

/** Decimals with at most 15 digits, all of which a 64-bit float keeps. */
const cents = fc
  .tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, decimals]) => `${digits}e-${decimals}`);

describe('an amount', () => {
  // docs/reliability-tests.md: 49
  it('is exactly the decimal that was written', () => {
    fc.assert(
      fc.property(cents, (text) => {
        expect(asAmount(Number(text))).toBe(Number(text));
      }),
    );
    expect([0, 19.9, 1e-6, 999_999_999.123456, 9_999_999_999_999, -12.5].map(asAmount)).toEqual([
      0, 19.9, 1e-6, 999_999_999.123456, 9_999_999_999_999, -12.5,
    ]);
  });

  it('loses the error that binary arithmetic has added', () => {
    expect([0.1 + 0.2, 0.7 + 0.1, 4.35 * 100, 1.1 * 3, 1_000_000.1 + 0.2].map(asAmount)).toEqual([
      0.3, 0.8, 435, 3.3, 1_000_000.3,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 1, max: 99_999_999 }), (a, b) => {
        expect(asAmount(a / 100 + b / 100)).toBe((a + b) / 100);
      }),
    );
  });

  it('is refused if rounding would lose more', () => {
    expect(
      [
        1e-7,
        5e-324,
        0.1234567,
        1 / 3,
        19.9900001,
        1e13,
        1e300,
        Number('123456789012345678901234567890'),
        Infinity,
        Number.NaN,
      ].map(asAmount),
    ).toEqual(Array.from({ length: 10 }, () => null));
  });

  it('is the same when it is read and sent again, with at most 6 decimals and 13 digits before them', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double({ min: -1e13, max: 1e13 }), cents.map(Number)), (value) => {
        const amount = asAmount(value);
        if (amount === null) return;
        expect(asAmount(amount)).toBe(amount);
        expect(JSON.stringify(amount)).toMatch(/^-?\d{1,13}(\.\d{1,6})?$|^-?\de-6$/);
      }),
    );
  });
});

describe('a measure', () => {
  it('keeps 15 digits, with the point in any place', () => {
    expect([0.1 + 0.2, 0.453_592_37, 1 / 3, 0.0078125, 1e-12, -2.5].map(asMeasure)).toEqual([
      0.3, 0.453_592_37, 0.333_333_333_333_333, 0.0078125, 1e-12, -2.5,
    ]);
    expect([1e-13, 5e-324, 1e13, 1e300, Infinity, Number.NaN].map(asMeasure)).toEqual(
      Array.from({ length: 6 }, () => null),
    );
    fc.assert(
      fc.property(fc.double({ min: -1e13, max: 1e13, noNaN: true }), (value) => {
        const measure = asMeasure(value);
        if (measure !== null) expect(asMeasure(measure)).toBe(measure);
      }),
    );
  });
});
