import { expect, it } from 'vitest';
import {
  CONNECTION_LIFETIME_S,
  preparedStatements,
  unprepared,
} from '../../../src/db/connection/prepared-statements.ts';

it('prepares a statement when it is sent a second time', () => {
  const mayPrepare = preparedStatements();
  expect([mayPrepare('a'), mayPrepare('b'), mayPrepare('a'), mayPrepare('a')]).toEqual([false, false, true, true]);
});

it('never prepares a text that contains values', () => {
  const mayPrepare = preparedStatements();
  expect([1, 2, 3].map(() => mayPrepare(unprepared('a')))).toEqual([false, false, false]);
});

it('keeps statements that are repeated, however many new texts are sent', () => {
  const mayPrepare = preparedStatements();
  for (let index = 0; index < 100_000; index++) mayPrepare(`once ${index}`);
  mayPrepare('mine');
  expect(mayPrepare('mine')).toBe(true);
});

it('forgets long texts that were sent once after fewer of them', () => {
  const mayPrepare = preparedStatements();
  const long = (index: number) => `${'x'.repeat(100_000)} ${index}`;
  for (let index = 0; index < 400; index++) mayPrepare(long(index));
  expect([mayPrepare(long(0)), mayPrepare(long(399))]).toEqual([false, true]);
});

it('has a limit, and starts again when connections are replaced', () => {
  let now = 0;
  const mayPrepare = preparedStatements(() => now);
  const twice = (text: string) => [mayPrepare(text), mayPrepare(text)][1];
  const prepared = Array.from({ length: 2_000 }, (_, index) => twice(`text ${index}`)).filter(Boolean).length;
  expect(prepared).toBe(1_000);
  expect(twice('late')).toBe(false);
  now += CONNECTION_LIFETIME_S * 1_000 + 1;
  expect(twice('late')).toBe(true);
});
