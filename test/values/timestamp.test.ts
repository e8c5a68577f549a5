import { expect, it } from 'vitest';
import { timestamptzText } from '../../src/values/timestamp.ts';

const EARLIEST_MS = -62_135_596_800_000;
const LATEST_MS = 253_402_300_799_999;

it('is a text from the first moment of the year 1 to the last one of the year 9999', () => {
  expect([EARLIEST_MS, LATEST_MS].map(timestamptzText)).toEqual([
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]);
  expect([EARLIEST_MS - 1, LATEST_MS + 1].map(timestamptzText)).toEqual([null, null]);
});
