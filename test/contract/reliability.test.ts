import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

/** Generated from the marks above tests: `npm run codegen:check` finds it stale. */
const ATTACKS_PAGE = 'docs/reliability-tests.md';
const PAGES = [ATTACKS_PAGE, 'docs/reliability.md', 'SECURITY.md'];
const ATTACKS = 100;

const page = await readFile(ATTACKS_PAGE, 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \| .+? \| (.+) \|$/gm)].map(([, number, tests]) => ({
  number: Number(number),
  tests: tests!,
}));

describe('docs/reliability-tests.md', () => {
  it('has a row for each of the 100 attacks and faults', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: ATTACKS }, (_, index) => index + 1));
  });

  it('names a test in each row, or says why there is none', () => {
    expect(rows.filter(({ tests }) => !/^(?:`test\/[^`]+\.test\.ts` "[^"]+"|No test: )/.test(tests))).toEqual([]);
  });
});

it.each(PAGES)('%s names files that exist', async (page) => {
  const paths = [...(await readFile(page, 'utf8')).matchAll(/\b(?:test|bench|src|docs)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
