import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogue, exportText, importText, recordsOf, sheetOf } from './sheets.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const TEE = { Handle: 'tee', Title: 'Tee', 'Variant Price': '10', 'Variant Barcode': '4006381333931' };
const SIZES = ['S', 'M'].map((size) => ({ ...TEE, 'Option1 Name': 'Size', 'Option1 Value': size }));

/** The shop's own export with these columns only. */
async function trimmed(...columns: string[]): Promise<Record<string, string>[]> {
  const records = recordsOf(await exportText(ctx));
  return records.map((record) => Object.fromEntries(columns.map((column) => [column, record[column]!])));
}

describe('an export that is trimmed', () => {
  it('to columns of the product changes them, and keeps the only variant', async () => {
    await importText(ctx, sheetOf(TEE));
    const [record] = await trimmed('Handle', 'Title', 'Commerce / Source ID', 'Tags');
    expect(await importText(ctx, sheetOf({ ...record, Tags: 'summer' }))).toMatchObject({ updated: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([
      { tags: [{ name: 'summer' }], variants: [{ barcodeList: ['4006381333931'], prices: [{ sellPrice: 10 }] }] },
    ]);
  });

  it('to a column of the variant clears it where the cell is empty, and keeps the only variant', async () => {
    await importText(ctx, sheetOf(TEE));
    const [record] = await trimmed('Handle', 'Title', 'Commerce / Source ID');
    expect(await importText(ctx, sheetOf({ ...record, 'Variant Barcode': '' }))).toMatchObject({ updated: 1 });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ barcodeList: [], prices: [{ sellPrice: 10 }] }] }]);
  });

  it.each([
    ['one variant', [TEE]],
    ['several variants', SIZES],
  ])('to the product and skus changes nothing in %s without a sku', async (_, records) => {
    await importText(ctx, sheetOf(...records));
    const before = await catalogue(ctx);
    const sheet = sheetOf(...(await trimmed('Handle', 'Title', 'Commerce / Source ID', 'Variant SKU')));
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
    expect(await catalogue(ctx)).toEqual(before);
  });

  it.each([
    ['Variant Price', '7'],
    ['Price / Retail', '7'],
    ['Variant Inventory Qty', '7'],
    ['Commerce / Inventory / Berlin', '7'],
    ['Commerce / Stock Locations', 'Berlin=7'],
    ['Commerce / Variant HS Code', '6109'],
    ['Continue selling when out of stock', 'TRUE'],
    ['Commerce / Variant Active', 'false'],
    ['Commerce / Variant Currency', 'CHF'],
    ['Commerce / Variant Attributes', '[]'],
    ['Image Src', 'https://p.example/1.jpg'],
    ['Variant Image', 'https://p.example/1.jpg'],
  ])('to the product, skus and %s is refused if several variants have no sku', async (title, value) => {
    await importText(ctx, sheetOf(...SIZES));
    const [first, second] = await trimmed('Handle', 'Title', 'Commerce / Source ID', 'Variant SKU');
    const { updated, skipped } = await importText(
      ctx,
      sheetOf({ ...first, [title]: '' }, { ...second, [title]: value }),
    );
    const reason = `${title} has a value, but its variant cannot be told from the others: write its source id or sku`;
    expect([updated, skipped.flatMap(({ mistakes = [] }) => mistakes)]).toEqual([
      0,
      [{ line: 3, row: 3, column: 'E', reason }],
    ]);
  });

  it('to prices warns if it has no column that tells several variants apart, and keeps their prices', async () => {
    await importText(ctx, sheetOf(...SIZES));
    const [record] = await trimmed('Handle', 'Title');
    const reason = expect.stringMatching(/^Variant Price has a value, but its variant cannot be told from the others/);
    expect(await importText(ctx, sheetOf({ ...record, 'Variant Price': '7' }))).toMatchObject({
      unchanged: 1,
      skipped: [],
      warnings: [{ row: 2, column: 'C', handle: 'tee', reason }],
    });
  });

  it('to values of variants warns of each value in each row', async () => {
    await importText(ctx, sheetOf(...SIZES));
    const [record] = await trimmed('Handle', 'Title');
    const row = { ...record, 'Variant Price': '7', 'Variant Barcode': '1' };
    const { warnings, warningCount } = await importText(ctx, sheetOf(row, { ...row, 'Variant Barcode': '' }));
    expect(warnings!.map(({ row, column }) => [row, column])).toEqual([
      [2, 'C'],
      [2, 'D'],
      [3, 'C'],
    ]);
    expect(warningCount).toBe(3);
  });

  it('to a main picture adds it to the first variant, and keeps the other pictures', async () => {
    const pictures = ['1.jpg', '2.jpg'].map((name) => `https://p.example/${name}`);
    const rows = SIZES.map((row, index) => ({ ...row, 'Image Src': pictures[index]! }));
    await importText(ctx, sheetOf(...rows));
    const records = await trimmed('Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Variant Image');
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({ unchanged: 1 });
    const sheet = sheetOf({ ...records[0]!, 'Variant Image': 'https://p.example/3.jpg' }, records[1]!);
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 1, imagesPending: 3, skipped: [] });
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1 });
    const main = { imageUrl: 'https://p.example/3.jpg', isMain: true, order: 3 };
    const others = pictures.map((imageUrl, index) => ({ imageUrl, isMain: false, order: index + 1 }));
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ images: [...others, main] }, { images: [] }] }]);
  });

  it('to a main picture that was uploaded changes nothing, and can make another one the main picture', async () => {
    const [first, main] = [newId(), newId()];
    const images = [
      { imageId: first, isMain: false, order: 1 },
      { imageId: main, isMain: true, order: 2 },
    ];
    await productSaver(ctx)({ ...plainProduct('Tee'), variants: [{ prices: [{ sellPrice: 1 }], images }] });
    const [record] = await trimmed('Handle', 'Title', 'Variant Image');
    expect(record!['Variant Image']).toContain(`https://shop.example/images/${ctx.merchantId}/${main}/`);
    expect(await importText(ctx, sheetOf(record!))).toMatchObject({ updated: 0, unchanged: 1 });
    const other = sheetOf({ ...record!, 'Variant Image': record!['Variant Image']!.replace(main, first) });
    expect(await importText(ctx, other)).toMatchObject({ updated: 1, imagesPending: 0, skipped: [] });
    expect(await importText(ctx, other)).toMatchObject({ updated: 0, unchanged: 1 });
    const { data } = await listProduct(ctx, {}, { data: { variants: { images: { imageId: {}, isMain: {} } } } });
    expect(data[0]!.variants[0]!.images).toEqual([
      { imageId: first, isMain: true },
      { imageId: main, isMain: false },
    ]);
  });

  it('to a main picture does not request others again that could not be fetched', async () => {
    const pictures = ['1.jpg', '2.jpg', '3.jpg'].map((name) => `https://p.example/${name}`);
    await importText(ctx, sheetOf({ ...TEE, 'Image Src': pictures[0]! }, { Handle: 'tee', 'Image Src': pictures[1]! }));
    await ctx.db.execute(sql`
      update bulk_operation_image set state = 'FAILED'
      where merchant_id = ${ctx.merchantId} and url = ${pictures[0]!}`);
    const [record] = await trimmed('Handle', 'Title');
    const sheet = sheetOf({ ...record!, 'Variant Image': pictures[2]! });
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 1, imagesPending: 2, skipped: [] });
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('to a main picture that could not be fetched does not request it again', async () => {
    const pictures = ['1.jpg', '2.jpg'].map((name) => `https://p.example/${name}`);
    await importText(ctx, sheetOf({ ...TEE, 'Image Src': pictures[0]! }, { Handle: 'tee', 'Image Src': pictures[1]! }));
    await ctx.db.execute(sql`update bulk_operation_image set state = 'FAILED' where merchant_id = ${ctx.merchantId}`);
    const [record] = await trimmed('Handle', 'Title');
    const sheet = sheetOf({ ...record!, 'Variant Image': pictures[1]! });
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 0, unchanged: 1, imagesPending: 0 });
  });

  it('to whether products are published keeps which variants are active, until it changes', async () => {
    await importText(ctx, sheetOf(SIZES[0]!, { ...SIZES[1]!, 'Commerce / Variant Active': 'false' }));
    const records = await trimmed('Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Published');
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
    expect(await importText(ctx, sheetOf({ ...records[0], Published: 'false' }, records[1]!))).toMatchObject({
      updated: 1,
    });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ isActive: false }, { isActive: false }] }]);
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({ updated: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ isActive: true }, { isActive: true }] }]);
  });

  it('to products and whether they are published keeps which variants are active', async () => {
    await importText(ctx, sheetOf(SIZES[0]!, { ...SIZES[1]!, 'Commerce / Variant Active': 'false' }));
    const [record] = await trimmed('Handle', 'Title', 'Published');
    expect(await importText(ctx, sheetOf(record!))).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
  });

  it('to whether products are published makes new variants active', async () => {
    await importText(ctx, sheetOf(SIZES[0]!));
    const [record] = await trimmed('Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Published', 'Variant Price');
    const draft = { ...record!, Published: 'false' };
    await importText(ctx, sheetOf(draft));
    await importText(ctx, sheetOf(draft, { ...draft, 'Option1 Value': 'M' }));
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ isActive: false }, { isActive: false }] }]);
  });

  it('to prices keeps a discount price that is not below the price, until it would be', async () => {
    const prices = [{ sellPrice: 10, discountPrice: 12 }];
    await productSaver(ctx)({ ...plainProduct('Tee'), variants: [{ prices }] });
    const [record] = await trimmed('Handle', 'Title', 'Variant Price');
    expect(await importText(ctx, sheetOf(record!))).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
    await importText(ctx, sheetOf({ ...record!, 'Variant Price': '15' }));
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ prices: [{ sellPrice: 15, discountPrice: null }] }] }]);
  });

  it('to a lower price, or with an empty compare-at price, ends a sale', async () => {
    await productSaver(ctx)({ ...plainProduct('Tee'), variants: [{ prices: [{ sellPrice: 15, discountPrice: 12 }] }] });
    const [record] = await trimmed('Handle', 'Title', 'Variant Price');
    await importText(ctx, sheetOf({ ...record!, 'Variant Price': '11', 'Variant Compare At Price': '' }));
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ prices: [{ sellPrice: 11, discountPrice: null }] }] }]);
  });

  it('to the columns of variants deletes those whose rows are removed', async () => {
    await importText(ctx, sheetOf(...SIZES));
    const [first] = await trimmed('Handle', 'Title', 'Commerce / Source ID', 'Option1 Name', 'Option1 Value');
    expect(await importText(ctx, sheetOf(first!))).toMatchObject({ updated: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ variantValues: [{ variantValueName: 'S' }] }] }]);
  });
});

describe('an export without columns of options, in which one of several variants has no sku', () => {
  const PRODUCT = { Handle: 'cap', Title: 'Cap', 'Variant Price': '10', 'Option1 Name': 'Size' };
  const [small, medium] = [
    { ...PRODUCT, 'Option1 Value': 'S', 'Variant SKU': 'C-S' },
    { ...PRODUCT, 'Option1 Value': 'M' },
  ];
  const LOST = 'has a value, but its variant cannot be told from the others: write its source id or sku';

  it.each([
    ['second', [small, medium], 3],
    ['first', [medium, small], 2],
  ])('is refused if the %s row, without a sku, has a price', async (_, rows, row) => {
    await importText(ctx, sheetOf(...rows));
    const before = await catalogue(ctx);
    const records = await trimmed('Handle', 'Title', 'Variant SKU', 'Variant Price');
    const sheet = sheetOf(...records.map((record) => ({ ...record, 'Variant Price': '9' })));
    expect(await importText(ctx, sheet)).toMatchObject({
      updated: 0,
      skipped: [{ handle: 'cap', mistakes: [{ row, column: 'D', reason: `Variant Price ${LOST}` }] }],
    });
    expect(await catalogue(ctx)).toEqual(before);
  });

  it.each([
    ['second', [small, medium]],
    ['first', [medium, small]],
  ])('keeps the variant if its row, the %s, has no values, or is missing', async (_, rows) => {
    await importText(ctx, sheetOf(...rows));
    const before = await catalogue(ctx);
    const records = await trimmed('Handle', 'Title', 'Variant SKU');
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({ unchanged: 1, skipped: [] });
    const priced = { ...records.find((record) => record['Variant SKU'])!, 'Variant Price': '9' };
    expect(await importText(ctx, sheetOf(priced))).toMatchObject({ updated: 1, skipped: [] });
    expect(JSON.stringify(await catalogue(ctx))).toBe(JSON.stringify(before).replace(/(C-S.*?"sellPrice":)10/, '$19'));
  });

  it('deletes a variant with a sku that has no row', async () => {
    await importText(ctx, sheetOf(small, { ...medium, 'Variant SKU': 'C-M' }, { ...PRODUCT, 'Option1 Value': 'L' }));
    const [record] = await trimmed('Handle', 'Title', 'Variant SKU');
    expect(await importText(ctx, sheetOf(record!))).toMatchObject({ updated: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ sku: 'C-S' }, { sku: null }] }]);
  });

  it('adds a variant with a new sku', async () => {
    await importText(ctx, sheetOf(small, medium));
    const [record] = await trimmed('Handle', 'Title', 'Variant SKU', 'Variant Price');
    const added = { ...record!, 'Variant SKU': 'C-L' };
    expect(await importText(ctx, sheetOf(record!, added))).toMatchObject({ updated: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([{ variants: [{ sku: 'C-S' }, { sku: null }, { sku: 'C-L' }] }]);
  });

  it('is refused if its pictures are those of the variant without a sku', async () => {
    await importText(ctx, sheetOf(medium, small));
    const records = await trimmed('Handle', 'Title', 'Variant SKU');
    const sheet = sheetOf({ ...records[0]!, 'Image Src': 'https://p.example/1.jpg' }, records[1]!);
    const mistake = { row: 2, column: 'D', reason: `Image Src ${LOST}` };
    expect(await importText(ctx, sheet)).toMatchObject({ updated: 0, skipped: [{ mistakes: [mistake] }] });
  });
});

it('an import says how many variants it deletes, because the file does not have them, and so does a dry run', async () => {
  const sheet = sheetOf(...['S', 'M', 'L'].map((size) => ({ ...SIZES[0]!, 'Option1 Value': size })));
  expect(await importText(ctx, sheet)).not.toHaveProperty('variantsDeleted');
  expect(await importText(ctx, sheet)).not.toHaveProperty('variantsDeleted');
  const filtered = sheetOf(SIZES[0]!);
  const counts = { updated: 1, variantsDeleted: 2 };
  expect(await importText(ctx, filtered, { onDifferences: () => {} })).toMatchObject(counts);
  expect(await importText(ctx, filtered)).toMatchObject(counts);
});

it('a dry run and an import do not count variants of products that are skipped', async () => {
  await importText(ctx, sheetOf(...SIZES));
  const [record] = await trimmed('Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Commerce / Updated At');
  await ctx.db.execute(sql`update product set name = 'New' where merchant_id = ${ctx.merchantId}`);
  await ctx.db.execute(sql`
    update product set updated_at = now() + interval '1 minute' where merchant_id = ${ctx.merchantId}`);
  for (const options of [{ onDifferences: () => {} }, {}]) {
    const imported = await importText(ctx, sheetOf(record!), options);
    expect(imported).toMatchObject({ updated: 0, skipped: [{ handle: 'tee' }] });
    expect(imported).not.toHaveProperty('variantsDeleted');
  }
});
