import { describe, expect, it } from 'vitest';
import { applied, drawn, smallFaultsOf } from '../../bench/small-faults.ts';

const path = 'src/example.ts';

function faultyTexts(text: string): string[] {
  return smallFaultsOf({ path, text }).map((fault) => applied(text, fault));
}

describe('the small faults of a file', () => {
  it.each([
    ['a < b;', ['a <= b;']],
    ['a === b && c;', ['a === b || c;', 'a !== b && c;']],
    ['if (a) b();', ['if (!(a)) b();']],
    ['const a = !b;', ['const a = b;']],
    ['const a = 5_000;', ['const a = 5001;']],
    ['const a = true;', ['const a = false;']],
    ['list.some(f);', ['list.every(f);']],
    ['a ? b : c;', ['!(a) ? b : c;']],
  ])('of %s', (text, expected) => {
    expect(faultyTexts(text)).toEqual(expected);
  });

  it('are not in types, imports, texts and comments', () => {
    expect(faultyTexts(`import a from './a';\ntype B = { c: 1 | true };\n// a < b\nconst d = 'a < b';`)).toEqual([]);
  });

  it('are drawn one a line, in an order that the seed decides', () => {
    const faults = smallFaultsOf({ path, text: 'a < b && c;\nd > e;\nf === g;\n' });
    const linesOf = (seed: number) => [...drawn(faults, seed)].map(({ line }) => line);
    expect(linesOf(1).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(linesOf(1)).toEqual(linesOf(1));
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => linesOf(seed).join()))).not.toHaveProperty('size', 1);
  });
});
