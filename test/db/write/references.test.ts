import { describe, expect, it } from 'vitest';
import { type Reference, referenceWalk } from '../../../src/db/write/references.ts';

const REFERENCES: Reference[] = [
  { path: 'brandId', to: 'ProductBrand' },
  { path: 'tagIds[]', to: 'ProductTag' },
  { path: 'types[].typeId', to: 'ProductVariantType' },
  { path: 'types[].valueIds[]', to: 'VariantValue', partOf: 'typeId' },
  { path: 'bundle.products[].productId', to: 'Product' },
];

function visited(record: object): string[] {
  const found: string[] = [];
  referenceWalk(REFERENCES)(record, ['input'], (id, { to, partOf }, entry, path) =>
    found.push(`${path.join('.')} ${to} ${id}${partOf ? ` of ${String(entry[partOf])}` : ''}`),
  );
  return found;
}

describe('a walk through the references of a record', () => {
  it('visits each id with its path, and with the object that it is in', () => {
    const types = [
      { typeId: 't1', valueIds: ['v1', 'v2'] },
      { typeId: 't2', valueIds: [] },
    ];
    const bundle = { products: [{ productId: 'p1' }] };
    expect(visited({ brandId: 'b', tagIds: ['x', 'y'], types, bundle, other: 'o' })).toEqual([
      'input.brandId ProductBrand b',
      'input.tagIds.0 ProductTag x',
      'input.tagIds.1 ProductTag y',
      'input.types.0.typeId ProductVariantType t1',
      'input.types.0.valueIds.0 VariantValue v1 of t1',
      'input.types.0.valueIds.1 VariantValue v2 of t1',
      'input.types.1.typeId ProductVariantType t2',
      'input.bundle.products.0.productId Product p1',
    ]);
  });

  it.each([
    [{}],
    [{ brandId: null, tagIds: null, types: null, bundle: null }],
    [{ brandId: 7, tagIds: 'x', types: 'x', bundle: [] }],
    [{ tagIds: {}, types: [null, 5, 'x', []], bundle: { products: 5 } }],
    [{ types: [{ typeId: {}, valueIds: 'x' }], bundle: { products: [null] } }],
  ])('finds no id in %j, which plain SQL may have stored', (record) => {
    expect(visited(record)).toEqual([]);
  });
});
