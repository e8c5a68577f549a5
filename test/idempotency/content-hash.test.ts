import { describe, expect, it } from 'vitest';
import { contentHash } from '../../src/idempotency/content-hash.ts';

describe('the hash of a content', () => {
  it('is the same for any order of the members of an object', async () => {
    expect(await contentHash({ a: 1, b: [{ c: null, d: 'x' }] })).toBe(
      await contentHash({ b: [{ d: 'x', c: null }], a: 1 }),
    );
    expect(await contentHash({})).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs for different contents', async () => {
    const contents = [
      null,
      false,
      true,
      0,
      1,
      '',
      '1',
      'null',
      [],
      [[]],
      [1],
      ['1'],
      [1, 2],
      [2, 1],
      [[1], 2],
      [1, [2]],
      [[1, 2]],
      {},
      [{}],
      { a: 1 },
      { a: null },
      { 'a":1,"b': 2 },
      { a: 1, b: 2 },
      [{ a: 1 }, { b: 2 }],
      [{ a: 1, b: 2 }],
      { a: { b: 2 } },
      { a: {}, b: 2 },
      ['a', 1],
      '{"a":1}',
      '[',
      ',',
      ['[', ','],
    ];
    expect(new Set(await Promise.all(contents.map(async (content) => await contentHash(content)))).size).toBe(
      contents.length,
    );
  });

  it('can be computed for deep and long contents', async () => {
    const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(await contentHash(deep(100_000))).not.toBe(await contentHash(deep(99_999)));
    expect(await contentHash(Array.from({ length: 100_000 }, () => 1))).toMatch(/^[0-9a-f]{64}$/);
  });
});
