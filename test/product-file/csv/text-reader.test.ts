import { describe, expect, it } from 'vitest';
import { TextReader } from '../../../src/product-file/csv/text/text-reader.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);
const DAMAGE = Buffer.from([0xff]);

describe('damage in the first chunk of a text', () => {
  it.each([
    ['after the character that stands for damage', undefined, bytesOf('a,Grün, Möhre, Öl \ufffd\nb,1')],
    ['after a character of four bytes', undefined, bytesOf('a,Grün 😀')],
    ['of a text whose encoding is given', 'utf-8', bytesOf('a,b')],
    ['of the second byte of a character', 'utf-8', bytesOf('a,b')],
  ])('%s: the text before it is returned', (name, encoding, before) => {
    const damage = name.includes('second byte') ? Buffer.from([0xc3, 0x28]) : DAMAGE;
    const reader = new TextReader(encoding);
    expect(reader.read(Buffer.concat([before, damage, bytesOf(',c\n')]), false)).toBe(before.toString());
    expect(() => reader.read(new Uint8Array(), true)).toThrow('it is not UTF-8 text');
  });

  it('of UTF-16: the text before it is returned', () => {
    const before = Buffer.from('\ufeffa,Grün', 'utf16le');
    const half = Buffer.from([0x00, 0xdc, 0x41, 0x00]);
    const reader = new TextReader();
    expect(reader.read(Buffer.concat([before, half]), false)).toBe('a,Grün');
    expect(() => reader.read(new Uint8Array(), true)).toThrow('it is not UTF-16LE text');
  });
});

it('damage in a later chunk is told at once, also if the chunk begins within a character', () => {
  const reader = new TextReader('utf-8');
  const sound = bytesOf('a,Grün,b');
  const middle = sound.indexOf(0xbc);
  expect(reader.read(sound.subarray(0, middle), false)).toBe('a,Gr');
  expect(() => reader.read(Buffer.concat([sound.subarray(middle), DAMAGE]), false)).toThrow('it is not UTF-8 text');
});
