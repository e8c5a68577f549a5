import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** patches/drizzle-orm+*.patch leaves seven. */
const MAX_EXPORTS = 10;

describe('patched packages', () => {
  it('have exports that Node parses in no time', () => {
    const { exports } = JSON.parse(readFileSync('node_modules/drizzle-orm/package.json', 'utf8')) as {
      exports: object;
    };
    expect(Object.keys(exports).length).toBeLessThanOrEqual(MAX_EXPORTS);
  });
});
