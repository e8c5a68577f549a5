import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../src/image/base64.ts';
import { MAX_IMAGE_BYTES } from '../../src/image/decode.ts';

const path = ['brandImage', 'base64'];
const decode = (text: string) => decodeBase64(text, path);
const refused = (message: RegExp) =>
  expect.objectContaining({
    code: 'ARGUMENT_VALIDATION_ERROR',
    extensions: { issues: [{ path, message: expect.stringMatching(message) }] },
  });

it('decodes any bytes, raw or in a data URI', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(decode(text)).toEqual(Buffer.from(bytes));
      expect(decode(`data:image/png;base64,${text}`)).toEqual(Buffer.from(bytes));
    }),
  );
});

it('accepts the line breaks of MIME encoders', () => {
  const bytes = Buffer.alloc(1_000, 7);
  const lines = bytes.toString('base64').match(/.{1,76}/g)!;
  expect(decode(lines.join('\r\n'))).toEqual(bytes);
  expect(decode(`${lines.join('\n')}\n`)).toEqual(bytes);
});

it.each([
  'data:image/jpeg;base64,',
  'DATA:image/jpeg;BASE64,',
  'data:;base64,',
  'data:text/html;charset=utf-8;base64,',
])('accepts a data URI that begins with %s', (header) => {
  expect(decode(`${header}aGVsbG8=`).toString()).toBe('hello');
});

// docs/reliability-tests.md: 59
describe('refuses', () => {
  it.each([
    ['nothing', ''],
    ['only padding', '===='],
    ['missing padding', 'aGVsbG8'],
    ['too much padding', 'aGVsbG8=='],
    ['padding in the middle', 'aGVs=bG8'],
    ['a second text behind the padding', 'aGVsbG8=aGVsbG8='],
    ['bits behind the last byte', 'aGVsbG9='],
    ['a lone character', 'a'],
    ['the URL-safe alphabet', '_-_-'],
    ['spaces', 'aGVs bG8='],
    ['tabs', 'aGVs\tbG8='],
    ['a percent sign', 'aGVsbG8%3D'],
    ['NUL', 'aGVs\0bG8='],
    ['letters beyond ASCII', 'aGVsbG8é'],
    ['full-width letters', 'ａＧＶｓ'],
    ['a lone surrogate', 'aGVs\ud800bG8='],
    ['an empty data URI', 'data:image/png;base64,'],
    ['a data URI in a data URI', 'data:image/png;base64,data:image/png;base64,aGVsbG8='],
    ['an address', 'https://example.com/picture.png'],
  ])('%s', (_, text) => {
    expect(() => decode(text)).toThrow(refused(/must be base64/));
  });

  it.each([
    ['without base64', 'data:image/svg+xml,<svg/>'],
    ['without a comma', 'data:image/png;base64'],
    ['with base64 before its parameters', 'data:image/png;base64;charset=utf-8,aGVsbG8='],
    ['with a header a megabyte long', `data:image/png;${'x'.repeat(1_000_000)};base64,aGVsbG8=`],
  ])('a data URI %s', (_, text) => {
    expect(() => decode(text)).toThrow(refused(/must be a data URI of the form/));
  });
});

describe('the limit of 20 MB', () => {
  const atLimit = Buffer.alloc(MAX_IMAGE_BYTES, 1);

  it('is exact to the byte', () => {
    expect(decode(atLimit.toString('base64'))).toHaveLength(MAX_IMAGE_BYTES);
    expect(() => decode(Buffer.alloc(MAX_IMAGE_BYTES + 1, 1).toString('base64'))).toThrow(refused(/at most 20 MB/));
  });

  it('counts the picture and not its line breaks', () => {
    const lines = atLimit.toString('base64').match(/.{1,76}/g)!;
    expect(decode(lines.join('\r\n'))).toHaveLength(MAX_IMAGE_BYTES);
  });

  // docs/reliability-tests.md: 59
  it('is checked before anything is decoded', () => {
    const text = 'A'.repeat(400_000_000);
    const before = process.memoryUsage().arrayBuffers;
    const startedMs = performance.now();
    expect(() => decode(text)).toThrow(refused(/at most 20 MB/));
    expect(performance.now() - startedMs).toBeLessThan(500);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });

  // docs/reliability-tests.md: 51
  it('takes as long for hostile text as for any other', () => {
    const length = 27_000_000;
    for (const text of [
      '='.repeat(length),
      '\n'.repeat(length),
      '=\n'.repeat(length / 2),
      `data:${','.repeat(length)}`,
    ]) {
      const startedMs = performance.now();
      expect(() => decode(text)).toThrow(expect.objectContaining({ code: 'ARGUMENT_VALIDATION_ERROR' }));
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    }
  });
});
