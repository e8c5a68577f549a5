import { expect, it } from 'vitest';
import { nameKey, optionOf, optionsByText } from '../../src/attribute/attribute-value.ts';

const NAMES = ['Kırmızı', 'İndigo', 'Işık', 'Μαύρος', 'Straße', 'Blue'];
const options = optionsByText(NAMES.map((name) => ({ id: name, name })));

it.each([
  ['Kırmızı', ['KIRMIZI', 'kırmızı', 'Kirmizi']],
  ['İndigo', ['indigo', 'İNDİGO', 'INDIGO', 'I\u0307ndigo']],
  ['Işık', ['ışık', 'IŞIK']],
  ['Μαύρος', ['ΜΑΎΡΟΣ', 'μαύροσ']],
  ['Straße', ['STRASSE', 'strasse', 'STRAẞE']],
  ['Blue', ['BLUE', ' blue ']],
])('%s is named in each case: %s', (name, texts) => {
  expect(texts.map((text) => optionOf(text, { options }))).toEqual(texts.map(() => name));
});

it('a name that is equal comes before one of another case', () => {
  const both = optionsByText(['ISI', 'ısı', 'isi'].map((name) => ({ id: name, name })));
  expect(['ISI', 'ısı', 'isi'].map((text) => optionOf(text, { options: both }))).toEqual(['ISI', 'ısı', 'isi']);
});

it('an id is one in each case', () => {
  const id = '01890000-0000-7000-8000-0000000000ab';
  const one = optionsByText([{ id, name: 'Blue' }]);
  expect([id, id.toUpperCase()].map((text) => optionOf(text, { options: one }))).toEqual([id, id]);
});

it('the case of a text that is longer than any name is not changed', () => {
  expect([1_020, 1_021].map((length) => nameKey('b'.repeat(length))[0])).toEqual(['B', 'b']);
});
