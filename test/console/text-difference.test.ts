import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpts, isLong, shortened, valueText } from '../../src/console/history/member-values.ts';
import { differenceOf, type Part } from '../../src/console/history/text-difference.ts';

/** `[-removed-]` and `{+added+}`. */
function marked(parts: readonly Part[]): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  return parts.map(({ kind, text }) => marks[kind].join(text)).join('');
}

function without(kind: Part['kind'], parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('');
}

describe('the difference of two texts', () => {
  it.each([
    ['a shirt of wool', 'a shirt of wool', 'a shirt of wool'],
    ['a shirt of wool', 'a shirt of red wool', 'a shirt of {+red +}wool'],
    ['a shirt of red wool', 'a shirt of wool', 'a shirt of [-red -]wool'],
    [
      'the old shirt is blue today',
      'the new shirt is red today',
      'the [-old -]{+new +}shirt is [-blue -]{+red +}today',
    ],
    ['', 'new', '{+new+}'],
    ['old', '', '[-old-]'],
    ['a a a', 'a a', 'a [-a -]a'],
    ['one two three', 'three two one', '[-one -]{+three +}two [-three-]{+one+}'],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(marked(differenceOf(before, after))).toBe(expected);
  });

  it('leads from each text to the other, whatever they are', () => {
    const words = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'ü '), { maxLength: 30 }).map((list) => list.join(''));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = differenceOf(before, after);
        expect(without('added', parts)).toBe(before);
        expect(without('removed', parts)).toBe(after);
        const kinds = parts.map(({ kind }) => kind);
        expect(kinds.every((kind, index) => kind !== kinds[index + 1])).toBe(true);
      }),
    );
  });

  it('of texts with too many different words is one removed and one added text', () => {
    const long = (word: string) => Array.from({ length: 40_000 }, (_, index) => `${word}${index}`).join(' ');
    const parts = differenceOf(`start ${long('a')} end`, `start ${long('b')} end`);
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});

describe('the value of a member', () => {
  it.each([
    ['name', null, '–'],
    ['name', '"Shirt"', 'Shirt'],
    ['name', '""', '""'],
    ['weight', '12.5', '12.5'],
    ['metaData', 'null', 'null'],
    ['barcodeList', '["a"]', '["a"]'],
    ['createdAt', '0', '1970-01-01T00:00:00.000Z'],
    ['birthDate', '-86400000', '1969-12-31T00:00:00.000Z'],
    ['createdAt', '1e300', '1e300'],
  ])('%s %s is shown as %s', (path, json, text) => {
    expect(valueText(path, json)).toBe(text);
  });

  it('is shown as a difference if the old and the new one are long', () => {
    const long = JSON.stringify('word '.repeat(30));
    expect([isLong(long, '"short"'), isLong('"a"', '"b"'), isLong(null, long)]).toEqual([true, false, false]);
  });

  it('is shown from shortly before the first difference if it is very long', () => {
    const same = 'same '.repeat(1_000);
    const [before, after] = excerpts(`${same}old ${'more '.repeat(1_000)}`, `${same}new`);
    expect(before).toMatch(/^… (same ){12}old more .*…$/);
    expect(before!.length).toBeLessThan(1_100);
    expect(after).toMatch(/^… (same ){12}new$/);
    expect(excerpts(same.slice(0, 1_000), 'b')).toEqual([same.slice(0, 1_000), 'b']);
  });

  it('is shown without the middle of what stays', () => {
    expect(shortened('a'.repeat(180))).toHaveLength(180);
    expect(shortened(`${'a'.repeat(200)}${'b'.repeat(200)}`)).toBe(`${'a'.repeat(60)} … ${'b'.repeat(60)}`);
  });
});
