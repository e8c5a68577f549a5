import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Imported } from '../../../src/product-file/import/import-run.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogue, exportText, importText, recordsOf, sheetOf } from './sheets.ts';

/** A batch has at most 1,000 products. */
const BATCH = 1_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

type Row = Record<string, string>;

const size = (handle: string, option: string, price: string): Row => ({
  Handle: handle,
  Title: handle,
  'Option1 Name': 'Size',
  'Option1 Value': option,
  'Variant Price': price,
});
const plain = (handle: string): Row => ({ Handle: handle, Title: handle, 'Variant Price': '1' });
const TEE = [size('tee', 'S', '10'), size('tee', 'M', '12')];

function mistakesOf({ skipped }: Imported): [number | undefined, string | null, string][] {
  return skipped.map(({ row, handle, reason }) => [row, handle, reason]);
}

const tornAt = (verb: string, row: number): string =>
  `the rows of a product must follow each other, and this handle ${verb} there on row ${row}`;

describe('a sheet that was sorted', () => {
  const sorted = [TEE[0]!, plain('mug'), TEE[1]!];

  it.each([
    ['a file', true],
    ['standard input', false],
  ])('does not change a product whose rows are apart, from %s', async (_name, isFile) => {
    await importText(ctx, sheetOf(...TEE, plain('mug')));
    const before = await catalogue(ctx);
    const [first, mug, second] = sorted as [Row, Row, Row];
    const sheet = sheetOf({ ...first, 'Variant Price': '11' }, mug, { ...second, 'Variant Price': '13' });
    const imported = await importText(ctx, sheet, { isFile });
    expect(imported).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(mistakesOf(imported)).toEqual([
      [2, 'tee', tornAt('is', 4)],
      [4, 'tee', tornAt('was', 2)],
    ]);
    expect(await catalogue(ctx)).toEqual(before);
  });

  it('does not change such a product of an export, and changes the others', async () => {
    await importText(ctx, sheetOf(...TEE, plain('mug')));
    const records = recordsOf(await exportText(ctx));
    const [mug, ...tee] = records.toSorted((a, b) => (a.Handle! < b.Handle! ? -1 : 1)) as [Row, Row, Row];
    const sheet = sheetOf(tee[0]!, { ...mug, Title: 'Cup' }, tee[1]!);
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 1, skipped: [{ handle: 'tee' }, { handle: 'tee' }] });
    expect(await catalogue(ctx)).toMatchObject([{ name: 'Cup' }, { variants: [{}, {}] }]);
  });

  it('refuses every part of a product in many parts', async () => {
    const sheet = sheetOf(size('tee', 'S', '1'), plain('a'), size('tee', 'M', '1'), plain('b'), size('tee', 'L', '1'));
    const imported = await importText(ctx, sheet);
    expect(imported).toMatchObject({ created: 2 });
    expect(mistakesOf(imported)).toEqual([
      [2, 'tee', tornAt('is', 4)],
      [4, 'tee', tornAt('was', 2)],
      [6, 'tee', tornAt('was', 2)],
    ]);
  });

  it('refuses both parts of a product that are in different batches of a file', async () => {
    const between = Array.from({ length: BATCH }, (_, index) => plain(`p${index}`));
    const imported = await importText(ctx, sheetOf(TEE[0]!, ...between, TEE[1]!));
    expect(imported).toMatchObject({ created: BATCH });
    expect(mistakesOf(imported)).toEqual([
      [2, 'tee', tornAt('is', BATCH + 3)],
      [BATCH + 3, 'tee', tornAt('was', 2)],
    ]);
  });

  it('imports the first part of a product from standard input if the next one is in another batch', async () => {
    const between = Array.from({ length: BATCH + 1 }, (_, index) => plain(`p${index}`));
    const imported = await importText(ctx, sheetOf(TEE[0]!, ...between, TEE[1]!), { isFile: false });
    expect(imported).toMatchObject({ created: BATCH + 2 });
    expect(mistakesOf(imported)).toEqual([[BATCH + 4, 'tee', tornAt('was', 2)]]);
  });

  it('refuses the first part of a product if the file is damaged in the second', async () => {
    const sheet = `${sheetOf(...sorted)}\ntee,"`;
    const imported = await importText(ctx, sheet);
    expect(imported).toMatchObject({ created: 1 });
    expect(imported.skipped).toMatchObject([
      { row: 2, handle: 'tee' },
      { row: 5, handle: 'tee' },
    ]);
  });
});

describe('a sheet with the handle only in the first row of a product', () => {
  it('does not change the product', async () => {
    await importText(ctx, sheetOf(...TEE));
    const before = await catalogue(ctx);
    const [first, second] = TEE as [Row, Row];
    const imported = await importText(ctx, sheetOf(plain('mug'), first, { ...second, Handle: '' }, plain('cup')));
    expect(imported).toMatchObject({ created: 2, updated: 0 });
    expect(mistakesOf(imported)).toEqual([
      [3, 'tee', 'row 4 has no Handle, and may be a variant of this product'],
      [4, null, 'has no Handle'],
    ]);
    expect((await catalogue(ctx)).slice(-1)).toEqual(before);
  });

  it('may begin with a row without a handle', async () => {
    const imported = await importText(ctx, sheetOf({ ...plain('x'), Handle: '' }, plain('mug')));
    expect(imported).toMatchObject({ created: 1, skipped: [{ row: 2, handle: null }] });
  });
});
