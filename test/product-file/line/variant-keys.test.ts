import { describe, expect, it } from 'vitest';
import { findStoredVariants, storedKeys } from '../../../src/product-file/line/variant-keys.ts';
import type { PortableVariant } from '../../../src/product-file/stored/portable-product.ts';

const VARIANTS = 3_000;
/** Measured: 0.1 s. Comparing each variant of the file with each stored one takes 12 s. */
const MAX_MATCH_MS = 3_000;

type Given = { sourceId?: string | null; sku?: string | null; values?: string[] };

const stored = (variants: Given[]): PortableVariant[] =>
  variants.map(({ sourceId = null, sku = null, values = [] }, index) => {
    const variantValues = values.map((name) => ({ name }));
    return { id: `stored ${index}`, sourceId, sku, variantValues } as unknown as PortableVariant;
  });
const inFile = ({ key = '', sku = null, values = [] }: { key?: string; sku?: string | null; values?: string[] }) => ({
  key,
  sku,
  variantValues: values.map((name) => ({ name })),
});

describe('variants of a file', () => {
  it('are matched by key, else by their values in any order, else by a sku that is unique', () => {
    const variants = stored([
      { sourceId: 'a', sku: '1' },
      { values: ['S', 'red'], sku: '2' },
      { values: ['M', 'red'], sku: '3' },
      { values: ['L', 'red'], sku: '4' },
      { values: ['L', 'red'], sku: '4' },
    ]);
    const file = [
      inFile({ key: 'a' }),
      inFile({ values: ['red', 'S'] }),
      inFile({ values: ['XS'], sku: '3' }),
      inFile({ values: ['L', 'red'], sku: '4' }),
    ];
    expect(findStoredVariants(file, variants).map((variant) => variant?.id)).toEqual([
      'stored 0',
      'stored 1',
      'stored 2',
      undefined,
    ]);
  });

  it('match the first of several stored variants with the same source id', () => {
    const variants = stored([{ sourceId: 'a' }, { sourceId: 'a' }]);
    expect(storedKeys(variants)).toEqual(['a', 'a']);
    expect(findStoredVariants([inFile({ key: 'a' })], variants)[0]?.id).toBe('stored 0');
  });

  it('are compared in linear time', () => {
    const numbers = Array.from({ length: VARIANTS }, (_, number) => `${number}`);
    const variants = stored(numbers.map((number) => ({ values: ['size', number], sku: number })));
    const file = numbers.map((number) => inFile({ key: `new ${number}`, values: ['other', number], sku: number }));
    const startedAt = performance.now();
    const found = findStoredVariants(file, variants);
    expect(performance.now() - startedAt).toBeLessThan(MAX_MATCH_MS);
    expect(found.map((variant) => variant?.id)).toEqual(numbers.map((number) => `stored ${number}`));
  });
});
