import { expect, it } from 'vitest';
import { name, text } from '../../src/field-input.ts';
import { normalizedName } from '../../src/values/text.ts';

/** Marks of two classes in the wrong order: normalizing them takes a time that is quadratic in their number. */
const marks = (count: number) => `${'\u0301'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`;
const messageOf = (schema: ReturnType<typeof text | typeof name>, value: string) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);
const TOO_MANY = ['must not contain more than 30 combining marks in a row'];

it('a text of 30 combining marks in a row is accepted, and one of more is refused', () => {
  expect(messageOf(name(), `a${marks(30)}`)).toBeUndefined();
  expect(messageOf(text(), `a${marks(30)}`)).toBeUndefined();
  expect(messageOf(name(), `a${marks(32)}`)).toEqual(TOO_MANY);
  expect(messageOf(text(), `a${marks(32)}`)).toEqual(TOO_MANY);
});

// Normalizing it would take hours.
it('five million combining marks are refused', () => {
  expect(messageOf(name(), marks(5_000_000))).toEqual(TOO_MANY);
  expect(messageOf(text(), marks(5_000_000))).toEqual(TOO_MANY);
  expect(normalizedName(` ${marks(5_000_000)}`)).toHaveLength(5_000_000);
});

it('a name is too long only if its NFC form is', () => {
  const decomposed = '\u1f82'.normalize('NFD');
  expect(decomposed).toHaveLength(4);
  expect(name().parse(decomposed.repeat(255))).toBe('\u1f82'.repeat(255));
  expect(messageOf(name(), decomposed.repeat(256))).toEqual(['must have at most 255 characters']);
  expect(messageOf(name(), 'x'.repeat(1_021))).toEqual(['must have at most 255 characters']);
});
