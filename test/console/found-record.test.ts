import { describe, expect, it } from 'vitest';
import { type Found, NOTHING, recordsOf } from '../../src/console/search/found-record.ts';

const stored = { createdAt: 0, updatedAt: 0, deleted: false };
const lamp = { ...stored, id: 'lamp', name: 'Lamp', version: 1 };
const ada = { ...stored, id: 'ada', firstName: 'Ada', lastName: null };

function summaryOf(found: Partial<Found>): [ids: string[], hasMore: boolean] {
  const { records, hasMore } = recordsOf({ ...NOTHING, ...found });
  return [records.map(({ id }) => id), hasMore];
}

describe('the records that a search of the console has found', () => {
  it('are none before the answer', () => {
    expect(recordsOf(null)).toEqual({ records: [], hasMore: false });
  });

  it('are more than were read if a list of them has another page', () => {
    expect(summaryOf({ byName: { data: [lamp], hasNext: true } })).toEqual([['lamp'], true]);
    expect(summaryOf({ customerByName: { data: [ada], hasNext: true } })).toEqual([['ada'], true]);
    expect(summaryOf({ bySku: { data: [lamp], hasNext: true } })).toEqual([['lamp'], true]);
    expect(summaryOf({ byName: { data: [lamp], hasNext: false }, customerByName: { data: [ada] } })).toEqual([
      ['lamp', 'ada'],
      false,
    ]);
  });

  it('are those with the text as their sku or id, of which there are no more', () => {
    const more = { byName: { data: [lamp, { ...lamp, id: 'other' }], hasNext: true } };
    expect(summaryOf({ ...more, bySku: { data: [lamp], hasNext: false } })).toEqual([['lamp'], false]);
    const customers = { customer: { data: [ada] }, customerByName: { data: [ada], hasNext: true } };
    expect(summaryOf(customers)).toEqual([['ada'], false]);
  });
});
