import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf, unitsOf } from '../../src/price-list/price-units.ts';

describe('a price in units of 0.000001', () => {
  it.each([
    [0.1 + 0.2, 300_000n],
    [999_999_999.999_999, 999_999_999_999_999n],
    [1_000_000_000, 1_000_000_000_000_000n],
    [1_000_000_000.123_456, 1_000_000_000_123_456n],
    [-1_000_000_000.123_456, -1_000_000_000_123_456n],
    [12_345_678_901.5, 12_345_678_901_500_000n],
    [1e21, 10n ** 27n],
  ])('of %d is exact', (price, units) => {
    expect([unitsOf(price), priceOf(units)]).toEqual([units, Number(price.toFixed(6))]);
  });

  it.each([
    [0.000_000_4, 0n],
    [0.000_000_5, 1n],
    [1_000_000_000.123_456_5, 1_000_000_000_123_457n],
    [1_000_000_000.123_456_4, 1_000_000_000_123_456n],
    [-1_000_000_000.123_456_7, -1_000_000_000_123_457n],
  ])('of %d, which has more decimals, is the nearest one', (price, units) => {
    expect(unitsOf(price)).toBe(units);
  });

  // Above it, neighbouring floats differ by more than a unit.
  it('is the price again, up to 8 billion', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 8n * 10n ** 15n }), (units) => {
        expect(unitsOf(priceOf(units))).toBe(units);
      }),
    );
  });
});
