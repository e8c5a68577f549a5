import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** With patches/drizzle-orm+*.patch there are seven. */
const MAX_EXPORTS = 10;

describe('patched packages', () => {
  it('have few exports, which Node parses fast', () => {
    const { exports } = JSON.parse(readFileSync('node_modules/drizzle-orm/package.json', 'utf8')) as {
      exports: object;
    };
    expect(Object.keys(exports).length).toBeLessThanOrEqual(MAX_EXPORTS);
  });
});
