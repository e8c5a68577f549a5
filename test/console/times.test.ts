import { describe, expect, it } from 'vitest';
import { matchesFilter } from '../../src/console/matches-filter.ts';
import { countText, localText, relativeText } from '../../src/console/times.ts';

const NOW = Date.UTC(2026, 10, 25, 12);

describe('the times of the console', () => {
  it.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [30_000, 'in less than a minute'],
    [-60_000, '1 minute ago'],
    [-7_200_000, '2 hours ago'],
    [-3 * 86_400_000, '3 days ago'],
    [4 * 3_600_000, 'in 4 hours'],
  ])('a span of %i ms is %s', (span, text) => {
    expect(relativeText(NOW + span, NOW)).toBe(text);
  });

  it('have one format', () => {
    expect(localText(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('2026-01-02 03:04');
  });
});

it('numbers have their nouns', () => {
  expect([0, 1, 2].map((count) => countText(count, 'scope'))).toEqual(['0 scopes', '1 scope', '2 scopes']);
});

it('a filter is a part of one of the texts, without case', () => {
  expect(matchesFilter(' erp', ['My ERP', null])).toBe(true);
  expect(matchesFilter('', [null])).toBe(true);
  expect(matchesFilter('erp', ['Shop', null])).toBe(false);
});
