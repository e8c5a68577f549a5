import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeCell, escapeFormula, unescapeCell } from '../../../src/product-file/csv/text/escape.ts';

const inExcel = (text: string, isKey = false): string => escapeCell(text, { keepsText: true, isKey });

describe('a sheet for Excel', () => {
  it.each([
    ['of numbers', ['0012', '4006381333931', '3E10', '1.50', '.5', '-1.50', '-.5', '1,5', '(12)', '(1.5)', '1 1/2']],
    ['of dates', ['10-12', '1/2', '5 May', 'May 5', '2026-05-05 10:30', '5 May 2026 10:30', 'Sept 5', '3-June-2026']],
    [
      'of German dates',
      ['5. Januar', 'Februar 2026', '5. März', 'März 5', 'Mrz 26', '3 Juli', 'Juni 5', '1. Dezember'],
    ],
    ['of times', ['10:30', '5 PM', '10:30 am', '7 p']],
    ['of boolean values', ['true', 'True', 'FALSE', 'wahr', 'Falsch']],
    ['of shortened numbers', ['1E+5', '1.5E+10', '-1,5e+10']],
  ])('has an apostrophe before texts that look like those %s', (_, texts) => {
    for (const text of texts) expect(inExcel(text), text).toBe(`'${text}`);
  });

  it('has none before other texts', () => {
    const texts = [
      '12',
      '-5',
      'M',
      '38A',
      '12 p m',
      'Mai',
      'Marchers 5',
      'truer',
      '1 2',
      '5 pieces',
      '(a)',
      'Junior 5',
    ];
    for (const text of texts) expect(inExcel(text)).toBe(text);
  });

  it('has none before shortened numbers in columns of keys, whose codecs put one', () => {
    expect(['1E+5', "'1E+5"].map((key) => inExcel(key, true))).toEqual(['1E+5', "'1E+5"]);
  });
});

describe('a cell', () => {
  const unit = fc.constantFrom(
    "'",
    '=',
    '-',
    '+',
    '@',
    '\t',
    '\r',
    '0',
    '1',
    '.',
    ':',
    '/',
    ' ',
    'e',
    'a',
    'May',
    '＋',
  );

  it('is read as the text that was written, with and without the option for Excel', () => {
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), fc.boolean(), (cell, keepsText, isKey) => {
        expect(unescapeCell(escapeCell(cell, { keepsText, isKey }), isKey)).toBe(cell);
      }),
    );
  });

  it('has no apostrophe before a negative number', () => {
    expect(['-5', '-1.5e-7', '-5+1', "'a"].map(escapeFormula)).toEqual(['-5', '-1.5e-7', "'-5+1", "'a"]);
  });
});
