import { describe, expect, it } from 'vitest';
import { remainingText } from '../../../src/cli/command-line/progress-bar.ts';
import type { ImportAnswer } from '../../../src/cli/import/import-all.ts';
import { importText, interruptedText } from '../../../src/cli/import/import-text.ts';
import { MemberCounts } from '../../../src/cli/import/member-counts.ts';
import { downloadsText } from '../../../src/cli/import/status.ts';
import type { ProductDifference } from '../../../src/product-file/import/differences.ts';

const price = (row: number) => ({
  line: row + 10,
  row,
  column: 'F',
  reason: `Variant Price must be a number such as 19.90, not "x${row}"`,
});
const status = {
  line: 13,
  row: 3,
  column: 'AB',
  reason: 'Status must be active, draft, archived or unlisted, not "maybe"',
};
const answer: ImportAnswer = {
  created: 1,
  updated: 2,
  unchanged: 3,
  kept: [],
  skipped: [
    { line: 13, row: 3, handle: 'tee', reason: 'both', mistakes: [price(3), status] },
    { line: 14, row: 4, handle: 'a-handle-of-some-length\u001b', reason: 'x', mistakes: [price(4)] },
    { line: 15, row: 5, handle: 'mug', reason: 'has been changed in the shop: --keep sheet overwrites it' },
  ],
  warnings: [{ ...price(9), handle: 'cup', reason: 'Variant SKU "1" is the sku of the product "tee" too, in row 3' }],
  warningCount: 1,
  imagesPending: 2,
  imagesRunning: 3,
  imagesFailed: 1,
  ignoredColumns: ['Colour', 'Size'],
  unknownNames: [],
  picturesAdded: 1,
  picturesKept: 1,
  picturesFailed: [{ file: 'tee.png', reason: 'is damaged or not a picture that can be read' }],
  picturesWithoutProduct: ['nobody.png'],
  picturesRepeated: ['tee-1.png'],
};

describe('the answer of an import on a terminal', () => {
  it.each([50, 80, 100, 200])('has lines of at most %i characters', (columns) => {
    for (const summary of [true, undefined]) {
      const text = importText(answer, columns, summary ? { summary } : {});
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('has tables by row and column letter, and a summary at the end', () => {
    const text = importText(answer, 120, {});
    expect(text).toContain(
      [
        'Skipped',
        'row  column  handle                    reason',
        '3    F       tee                       Variant Price must be a number such as 19.90, not "x3"',
        '3    AB      tee                       Status must be active, draft, archived or unlisted, not "maybe"',
        '4    F       a-handle-of-some-length\uFFFD  Variant Price must be a number such as 19.90, not "x4"',
        '5    -       mug                       has been changed in the shop: --keep sheet overwrites it',
      ].join('\n'),
    );
    expect(text).toContain('Warnings\nrow  column  handle  reason\n9    F       cup     Variant SKU "1" is');
    expect(text).toContain('nobody.png  no product that is not deleted has this handle');
    expect(text).toContain('tee-1.png   another file is of the same product');
    expect(
      text.endsWith(
        [
          'created          1 product',
          'updated          2 products',
          'unchanged        3 products',
          'skipped          3 products, with 3 mistakes in 2 rows',
          'warnings         1 warning',
          'pictures         1 added, 1 failed, 1 without a product, 1 product had pictures already',
          'downloads        2 pictures requested, 3 in the shop still to be fetched by the running service, 1 failed (commerce',
          '                 import status; --retry-images requests them again)',
          'ignored columns  Colour, Size',
          '',
        ].join('\n'),
      ),
    ).toBe(true);
    expect(text).not.toMatch(/[[{]"/);
  });

  it('counts mistakes of one kind in one column with --summary', () => {
    const text = importText(answer, 120, { summary: true });
    expect(text).toContain(
      'count  column  first row  reason\n' +
        '2      F       3          Variant Price must be a number such as 19.90, not "x3"\n',
    );
  });

  it('lists 200 rows, and says how many more there are', () => {
    const many = { ...answer, skipped: Array.from({ length: 203 }, () => answer.skipped[2]!) };
    expect(importText(many, 120, {})).toContain('… and 3 more: --summary counts them, --json has all.');
  });

  it('says how many products an interrupted import has written, and how it goes on', () => {
    expect(interruptedText(answer)).toBe('Interrupted: 3 products written. Run the same command again to go on.');
    expect(interruptedText({ ...answer, dryRun: true })).toBe('Interrupted. The dry run has written nothing.');
  });
});

it('members that change are counted without the names in brackets, new products as one', () => {
  const members = new MemberCounts();
  const changed = (handle: string, ...names: string[]): ProductDifference => ({
    handle,
    name: handle,
    change: 'UPDATED',
    outcome: 'WRITTEN',
    reason: null,
    members: names.map((member) => ({ member, old: 1, new: 2 })),
  });
  members.add([
    changed('a', 'name', 'variants[x [1]].prices[Retail].sellPrice', 'variants[y].prices.sellPrice'),
    changed('b', 'variants[z].prices.sellPrice'),
    { ...changed('c', 'name'), change: 'CREATED' },
    { ...changed('d', 'name'), outcome: 'SKIPPED' },
  ]);
  expect(members.list()).toEqual([
    { member: 'variants.prices.sellPrice', products: 2, example: 'a' },
    { member: '(new product)', products: 1, example: 'c' },
    { member: 'name', products: 1, example: 'a' },
    { member: 'name (skipped)', products: 1, example: 'd' },
  ]);
});

it('the time that is left is said only while it is known', () => {
  expect(['NULL', 'INF', Number.NaN, 0, -1].map(remainingText)).toEqual(['', '', '', '', '']);
  expect([1, 59, 60, 61, 3_600, 5_400].map(remainingText)).toEqual([
    ' | 1 s left',
    ' | 59 s left',
    ' | 1 min left',
    ' | 2 min left',
    ' | 1 h 0 min left',
    ' | 1 h 30 min left',
  ]);
});

describe('the status of downloads on a terminal', () => {
  const failed = { state: 'FAILED', handle: 'tee', product: 'Tee', sku: 't-1', attempts: 3, updatedAt: 0 };
  const pictures = [{ ...failed, url: `https://p.example/${'x'.repeat(200)}`, error: 'could not be fetched: dns' }];

  it.each([50, 80, 200])('has lines of at most %i characters', (columns) => {
    const text = downloadsText({ running: 0, failed: 1, workers: 0, pictures }, columns);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('says what it takes to go on', () => {
    const text = downloadsText({ running: 2, failed: 3, workers: 0, pictures }, 120);
    expect(text).toContain('… and 4 more: --limit lists them.\n2 still to be fetched.\nNo process of the service runs');
    expect(text).toContain('3 failed. An import of the same file with --retry-images requests them again.');
    expect(downloadsText({ running: 0, failed: 0, workers: 1, pictures: [] }, 80)).toBe(
      'No picture is still to be fetched.\n',
    );
  });
});

it('says how many variants are deleted, or would be, if there are any', () => {
  expect(importText(answer, 120, {})).not.toMatch(/\d variant/);
  expect(importText({ ...answer, variantsDeleted: 2 }, 120, {})).toMatch(/^deleted +2 variants$/m);
  expect(importText({ ...answer, variantsDeleted: 1, dryRun: true }, 120, {})).toMatch(/^would delete +1 variant$/m);
});
