import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { underflows, withoutUnderflow } from '../../src/values/json.ts';

const parse = (json: string): unknown => JSON.parse(withoutUnderflow(json));

describe('a JSON body', () => {
  it('gets Infinity for a number that would become 0', () => {
    expect(parse('{"a":[1e-400,-1e-400,1E-999, 0.5e-400 ],"b":1e-400}')).toEqual({
      a: [Infinity, -Infinity, Infinity, Infinity],
      b: Infinity,
    });
    expect(parse(`[0.${'0'.repeat(330)}1, 0.${'0'.repeat(250)}1e-99]`)).toEqual([Infinity, Infinity]);
  });

  it('keeps strings and all other numbers', () => {
    expect(parse('{"1e-400":"1e-400","a\\"1e-400":[1e-30,0e-400,0.0,"\\\\",5e-324,1e400]}')).toEqual({
      '1e-400': '1e-400',
      'a"1e-400': [1e-30, 0, 0, '\\', 5e-324, Infinity],
    });
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const json = JSON.stringify({ value, text: `${text} 1e-400 \\" 1e-400`, [text]: [0, 1.5, -2e-30] });
        expect(withoutUnderflow(json)).toBe(json);
      }),
    );
  });

  it('is unchanged if it is not JSON', () => {
    for (const text of ['', '"', '"1e-400', '{"a":"\\', 'e-99', '1e-', '[[[[1e-99'])
      expect(withoutUnderflow(text)).toBe(text);
  });
});

it('recognizes texts of numbers that a 64-bit float stores as 0', () => {
  expect(['1e-400', '-0.5e-324', `0.${'0'.repeat(330)}1`, '1E-999'].every(underflows)).toBe(true);
  expect(['0', '0.0', '-0', '0e-400', '0.00e10', '5e-324', '1e400', '10'].some(underflows)).toBe(false);
});
