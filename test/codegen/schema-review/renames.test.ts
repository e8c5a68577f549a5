import { buildSchema, Source } from 'graphql';
import { expect, it } from 'vitest';
import { findChanges } from '../../../codegen/schema-review/changes.ts';
import type { Comparison } from '../../../codegen/schema-review/comparison.ts';
import { elementsOf } from '../../../codegen/schema-review/elements.ts';
import { formats } from '../../../codegen/schema-review/report.ts';

const BEFORE = `type Query { product(id: ID!): Product, tag: Tag }
type Product { name: String!, totalStock: Float, price: Float! }
type Tag { id: ID!, label: String }`;

function compared(after: string, reviewed?: Comparison['reviewed']): Comparison {
  const [old, current] = [BEFORE, after].map((sdl) => buildSchema(new Source(sdl, 'schema/shop.graphql')));
  const changes = findChanges(old!, current!, new Date());
  return { base: 'release 1', changes, elements: elementsOf(current!), ...(reviewed && { reviewed }) };
}

const RENAMED = BEFORE.replace('totalStock: Float', 'weight: Float!, stock: Float')
  .replace('id: ID!)', 'key: ID!)')
  .replaceAll('Tag', 'Label');

it('names the addition of the same kind and type as the possible new name of a removal', () => {
  const report = formats.text(compared(RENAMED));
  expect(report).toContain('Field Product.totalStock was removed. Renamed to Product.stock (schema/shop.graphql:2)?');
  expect(report).toContain('was removed. Renamed to Query.product(key:) (schema/shop.graphql:1)?');
  expect(report).toContain('Renamed to Label (schema/shop.graphql:3)?');
  expect(report).not.toContain('Renamed to Product.weight');
});

it('names nothing for a removal alone, nor an addition to another type', () => {
  const removed = BEFORE.replace('totalStock: Float, ', '').replace('label: String', 'label: String, stock: Float');
  expect(formats.text(compared(removed))).not.toContain('Renamed');
});

it('lists the changes under review and what is refused, and counts the others', () => {
  const after = RENAMED.replace('price: Float!', 'price: Float!, currency: String');
  const reviewed = { base: '0123abc (Before)', coordinates: new Set(['Product.currency']) };
  const [all, some] = [compared(after), compared(after, reviewed)].map(formats.text);
  expect(all).toContain('Field Product.weight was added.');
  expect(some).toContain('Field Product.currency was added.');
  expect(some).toContain('Field Product.totalStock was removed.');
  expect(some).not.toContain('Field Product.weight was added.');
  expect(some).toMatch(
    /Shown are the changes under review, since 0123abc \(Before\)\. --all shows \d+ earlier ones too\./,
  );
  expect(formats.json(compared(after, reviewed))).toBe(formats.json(compared(after)));
});
