import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const PAGES = ['docs/reliability.md', 'SECURITY.md'];
const POINTS = 100;

const reliability = await readFile('docs/reliability.md', 'utf8');
const rows = [...reliability.matchAll(/^\| (\d+) \| (.+?) \| (.+) \|$/gm)].map(([, number, attack, heldBy]) => ({
  number: Number(number),
  attack: attack!,
  heldBy: heldBy!,
}));

describe('docs/reliability.md', () => {
  it('has a row for each of the 100 attacks and faults', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: POINTS }, (_, index) => index + 1));
  });

  it('names a test in each row, or says why there is none', () => {
    expect(rows.filter(({ heldBy }) => testsIn(heldBy).length === 0 && !heldBy.startsWith('No test: '))).toEqual([]);
  });

  it.each(rows)('row $number, $attack, names tests that exist', async ({ heldBy }) => {
    for (const { path, title } of testsIn(heldBy)) {
      const source = await readFile(path, 'utf8');
      expect(
        [`'${title}`, `"${title}`, `\`${title}`].some((quoted) => source.includes(quoted)),
        `${path} "${title}"`,
      ).toBe(true);
    }
  });
});

it.each(PAGES)('%s names files that exist', async (page) => {
  const paths = [...(await readFile(page, 'utf8')).matchAll(/\b(?:test|bench|src|docs)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

/** Reads `test/a.test.ts` "one", "two"; `test/b.test.ts` "three". */
function testsIn(text: string): { path: string; title: string }[] {
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts)`((?:,? "[^"]+")+)/g)].flatMap(([, path, titles]) =>
    [...titles!.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ path: path!, title: title! })),
  );
}
