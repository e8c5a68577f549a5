import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../src/cli/command-line/options.ts';

describe('a time of a command', () => {
  it.each([
    ['2026-11-29', '2026-11-29T00:00:00.000Z'],
    ['2026-11-29 03:00', '2026-11-29T03:00:00.000Z'],
    ['2026-11-29T03:00:01', '2026-11-29T03:00:01.000Z'],
    [' 2026-11-29T03:00:01.25Z ', '2026-11-29T03:00:01.250Z'],
    ['2028-02-29T23:00-05:00', '2028-03-01T04:00:00.000Z'],
    ['2026-11-29 03:00:01.25+03', '2026-11-29T00:00:01.250Z'],
    ['2026-11-29T03:00+0330', '2026-11-28T23:30:00.000Z'],
  ])('%s is %s, in every time zone of the machine', (text, instant) => {
    const { TZ } = process.env;
    process.env['TZ'] = 'America/New_York';
    try {
      expect(new Date(parseTime(text)).toISOString()).toBe(instant);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  it.each([
    '',
    '5',
    '11/29',
    'yesterday',
    '2026',
    '2026-11',
    '29 Nov 2026',
    '2026-11-29T25:00',
    '2026-11-29Z',
    '2026-02-30',
    '2026-02-29T12:00Z',
    '2026-04-31T23:00-05:00',
    '+010000-01-01',
  ])('"%s" is refused', (text) => {
    expect(() => parseTime(text)).toThrow('It is no time, such as 2026-11-01 or 2026-11-01T12:00Z.');
  });

  it('outside of the years 1 to 9999 is refused', () => {
    for (const text of ['0000-12-31T23:59Z', '9999-12-31T23:59-05:00'])
      expect(() => parseTime(text)).toThrow('It is not in the years 1 to 9999.');
  });
});
