import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectJsonMembers } from '../../../src/db/read/json-selection.ts';
import type { Selection } from '../../../src/db/read/projection.ts';

const names = fc.constantFrom('a', 'b', 'c', 'dd', 'a"b', 'x y');
const selections = fc.letrec<{ selection: Selection }>((tie) => ({
  selection: fc.oneof(
    { maxDepth: 3 },
    fc.constant({}),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'dd'), tie('selection'), { maxKeys: 4 }),
  ),
})).selection;
const values = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 5 }),
})).value;

/** The expected selection, computed from parsed values. */
function selected(selection: Selection, value: unknown): unknown {
  if (Object.keys(selection).length === 0) return value ?? null;
  if (Array.isArray(value)) {
    return value.map((entry: unknown) => ofObject(selection, entry)).filter((entry) => entry !== null);
  }
  return ofObject(selection, value);
}

function ofObject(selection: Selection, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  return Object.fromEntries(
    Object.entries(selection).map(([name, below]) => [
      name,
      Object.hasOwn(value, name) ? selected(below, (value as Record<string, unknown>)[name]) : null,
    ]),
  );
}

describe('the text of a document', () => {
  it.each([
    ['without white space', undefined],
    ['with white space', 2],
  ])('has the selected members, %s', (_, space) => {
    fc.assert(
      fc.property(selections, values, (selection, value) => {
        const stored = JSON.stringify(value, null, space);
        expect(JSON.parse(selectJsonMembers(selection)(stored))).toEqual(
          JSON.parse(JSON.stringify(selected(selection, value))),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts the white space of PostgreSQL between members', () => {
    expect(selectJsonMembers({ b: {}, a: {}, c: {} })('[{"a" : 1, "b" : "x, } ]\\\\"}, {"b" : null}]')).toBe(
      '[{"b":"x, } ]\\\\","a":1,"c":null},{"b":null,"a":null,"c":null}]',
    );
    expect(selectJsonMembers({ a: {} })(' [ ] ')).toBe('[]');
  });

  it('keeps the digits of decimals', () => {
    expect(selectJsonMembers({ price: {} })('{"price":12345678901234567890.10}')).toBe(
      '{"price":12345678901234567890.10}',
    );
  });
});
