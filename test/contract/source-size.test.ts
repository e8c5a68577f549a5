import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesWith, functionsOf, isGenerated, linesOf, quantile } from '../../bench/source-size.ts';
import { textOf } from './imports.ts';

const ROOT = new URL('../../', import.meta.url);

/** Limits of the source, so that a reader finds a thing and can hold it in mind. A larger one needs its reason here. */
const MAX_FILE_LINES = 250;
const MAX_P90_FILE_LINES = 135;
const MAX_FOLDER_FILES = 20;
const MAX_FUNCTION_LINES = 60;
const MAX_PARAMETERS = 4;
const MAX_SQL_COLUMNS = 120;

const LARGER_FOLDERS: Record<string, string> = {
  drizzle: 'one file a table group, by the names of the domains',
  'migrations/functions': 'one file a function, as psql lists them',
  'src/webhook': 'twelve operations, one file each, beside what they share',
};
const LARGER_FILES: Record<string, string> = {};
const MORE_PARAMETERS: Record<string, string> = {};

/**
 * In how many files written by hand (SDL, tables, src, SQL) a member of a product or variant stands. Beside SDL and table
 * there are only places where the member is special.
 */
const FILES_OF_MEMBERS: Record<string, number> = {
  googleTaxonomyId: 3,
  // Sales channels of a product have one too.
  maxQuantityPerCart: 4,
  // A filter of lists, and `vendor` in bulk requests.
  vendorId: 6,
  hsCode: 3,
  productVolumeDiscountId: 4,
  // Too long for the estimate of a row's size.
  shortDescription: 4,
};

const written = filesIn('schema', 'src', 'drizzle', 'migrations/functions')
  .filter((path) => !isGenerated(path))
  .map((path) => ({ path, text: textOf(path) }));
const sources = written.filter(({ path }) => /\.tsx?$/.test(path));
const functions = sources.flatMap(functionsOf);

describe('the source', () => {
  it(`has files of at most ${MAX_FILE_LINES} lines, nine in ten of at most ${MAX_P90_FILE_LINES}`, () => {
    const larger = sources.filter(({ path, text }) => linesOf(text).length > MAX_FILE_LINES && !(path in LARGER_FILES));
    expect(larger.map(({ path }) => path)).toEqual([]);
    const sizes = sources.map(({ text }) => linesOf(text).length);
    expect(quantile(sizes, 0.9)).toBeLessThanOrEqual(MAX_P90_FILE_LINES);
  });

  it(`has at most ${MAX_FOLDER_FILES} files in a folder`, () => {
    const folders = Map.groupBy(filesIn('src', 'drizzle', 'migrations'), dirname);
    const larger = folders
      .entries()
      .filter(([path, files]) => files.length > MAX_FOLDER_FILES && !(path in LARGER_FOLDERS));
    expect(Array.from(larger, ([path, files]) => `${path}: ${files.length}`)).toEqual([]);
  });

  it(`has functions of at most ${MAX_FUNCTION_LINES} lines and ${MAX_PARAMETERS} parameters`, () => {
    expect(functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).toEqual([]);
    const found = functions.filter(
      ({ place, parameters }) => parameters > MAX_PARAMETERS && !(place in MORE_PARAMETERS),
    );
    expect(found).toEqual([]);
  });

  it(`has lines of SQL of at most ${MAX_SQL_COLUMNS} columns`, () => {
    const long = written
      .filter(({ path }) => path.endsWith('.sql'))
      .flatMap(({ path, text }) =>
        linesOf(text).flatMap((line, index) => (line.length > MAX_SQL_COLUMNS ? [`${path}:${index + 1}`] : [])),
      );
    expect(long).toEqual([]);
  });

  it.each(Object.entries(FILES_OF_MEMBERS))('says %s in at most %i files', (member, max) => {
    const found = filesWith(written, member);
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(max);
  });
});

/** The files in these folders, as paths from the root of the repository. */
function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(fileURLToPath(ROOT), join(entry.parentPath, entry.name))),
  );
}
