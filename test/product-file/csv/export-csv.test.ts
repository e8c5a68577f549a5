import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportCsv } from '../../../src/product-file/csv/export-csv.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { deleteProductList } from '../../../src/product/deleteProductList.ts';
import { listSalesChannel } from '../../../src/sales-channel/listSalesChannel.ts';
import { saveSalesChannel } from '../../../src/sales-channel/saveSalesChannel.ts';
import { deleteStockLocationList } from '../../../src/stock/deleteStockLocationList.ts';
import { saveStockLocation } from '../../../src/stock/saveStockLocation.ts';
import { namedTables, unboundTables } from '../../contract/statement-scan.ts';
import { fullProductInput, plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import {
  PUBLIC_URL,
  catalogue,
  catalogueRows,
  exportText,
  generatedSheet,
  importText,
  recordsOf,
  sheetOf,
  untimed,
} from './sheets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const example = readFileSync(new URL('../../../examples/catalogue.csv', import.meta.url), 'utf8');
const exampleProducts = recordsOf(example).filter((record) => record.Title).length;

const newShop = async (...priceLists: string[]): Promise<Context> => {
  const ctx = await createContext(database.db);
  for (const name of priceLists)
    await savePriceList(ctx, { input: { name, currency: 'EUR', currencySymbol: '€' } }, { id: {} });
  return ctx;
};

/** Checks that importing an export changes nothing in its own shop, and makes the same catalogue in an empty shop. */
async function expectRoundTrip(ctx: Context, products: number, emptyShop: Context): Promise<string> {
  const before = await catalogueRows(ctx);
  const sheet = await exportText(ctx);
  expect(await importText(ctx, sheet)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: products,
    skipped: [],
    imagesPending: 0,
    ignoredColumns: [],
  });
  expect(await catalogueRows(ctx)).toEqual(before);
  expect(await exportText(ctx)).toBe(sheet);
  expect(await importText(emptyShop, sheet)).toMatchObject({
    created: products,
    updated: 0,
    unchanged: 0,
    skipped: [],
    ignoredColumns: [],
  });
  expect(untimed(await exportText(emptyShop))).toBe(untimed(sheet));
  expect(await importText(emptyShop, sheet)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: products,
    skipped: [],
  });
  return sheet;
}

const bulkVariant = (more: object) => ({ isActive: true, deleted: false, prices: [{ sellPrice: 5 }], ...more });
const bulkProduct = (more: object) => ({
  name: 'Product',
  type: 'PHYSICAL',
  categories: [],
  productVariantTypes: [],
  deleted: false,
  variants: [bulkVariant({})],
  ...more,
});
const bulk = (ctx: Context, ...products: object[]) =>
  bulkUpdateProducts(ctx, { input: products.map(bulkProduct) as never });

describe('an export', () => {
  it('of the catalogue in examples/ changes nothing in its own shop, and makes the same catalogue in another', async () => {
    const original = example;
    const [ctx, other] = [await newShop(), await newShop()];
    await importText(ctx, original);
    const sheet = await expectRoundTrip(ctx, exampleProducts, other);
    expect(await catalogue(other)).toEqual(await catalogue(ctx));
    const shared = [
      'Handle',
      'Title',
      'Body (HTML)',
      'Type',
      'Tags',
      'Option1 Value',
      'Variant Grams',
      'Variant Inventory Qty',
      'Variant Price',
    ];
    const cells = (text: string) =>
      new Set(recordsOf(text).map((record) => JSON.stringify(shared.map((column) => record[column]))));
    expect(cells(sheet)).toEqual(cells(original));
  });

  it('of 250 products over several pages changes nothing in its own shop, and makes the same catalogue in another', async () => {
    const [ctx, other] = [await newShop(), await newShop()];
    await importText(ctx, generatedSheet(250));
    await expectRoundTrip(ctx, 250, other);
    expect(await catalogue(other)).toEqual(await catalogue(ctx));
  });

  it('keeps members for which the Shopify format has no column', async () => {
    const [ctx, other] = [
      await newShop('Europe', 'Wholesale / B2B', 'Europe '),
      await newShop('Europe', 'Wholesale / B2B'),
    ];
    await database.db.execute(
      sql`update price_list set deleted = true where merchant_id = ${ctx.merchantId} and name = 'Europe' and id <> (select id from price_list where merchant_id = ${ctx.merchantId} and name = 'Europe' order by id limit 1)`,
    );
    const lists = await database.db.execute<{ id: string }>(
      sql`select id from price_list where merchant_id = ${ctx.merchantId} and not deleted order by id`,
    );
    const [first, second] = [
      await saveStockLocation(ctx, { input: { name: 'Main' } }, { id: {} }),
      await saveStockLocation(ctx, { input: { name: 'Store, "North"' } }, { id: {} }),
    ];
    const picture = (n: number, more: object = {}) => ({
      imageUrl: `https://p.example/${n}.png`,
      isMain: n === 0,
      order: n,
      ...more,
    });
    await bulk(
      ctx,
      {
        sourceId: 'key 1',
        name: 'Everything',
        type: 'MEMBERSHIP',
        brand: { name: 'A, "B"' },
        tags: [{ name: 'a, b' }, { name: '["c"]' }],
        vendor: 'v',
        weight: 1.5,
        maxQuantityPerCart: 3,
        categories: [{ name: ['Clothes', 'Shirts > Long'] }, { name: ['New'] }],
        description: ' x\r\n"y"\ry ',
        shortDescription: 'short',
        googleTaxonomyId: '212',
        metaData: { slug: 'everything', pageTitle: 'T', description: 'D' },
        productVariantTypes: [
          { order: 5, variantTypeName: 'Size', variantValues: [{ name: 'S' }, { name: 'unused' }] },
          { order: 7, variantTypeName: 'Bare', variantValues: [{ name: 'x' }] },
        ],
        variants: [
          bulkVariant({
            sourceId: 'v1',
            sku: 'S1',
            barcodeList: ['1', '2'],
            isActive: false,
            weight: 0.1 + 0.2,
            hsCode: 'hs',
            prices: [
              { sellPrice: 1_234_567_890_123.25, buyPrice: 0.1, currencyCode: 'TRY' },
              { sellPrice: 9, discountPrice: 7, priceListId: lists[0]!.id },
              { sellPrice: 1, discountPrice: 2, priceListId: lists[1]!.id },
            ],
            stocks: [
              { stockLocationId: first.id, stockCount: -1.5 },
              { stockLocationId: second.id, stockCount: 3 },
            ],
            images: [picture(0), picture(1), picture(2)],
            variantValues: ['Size', 'Colour', 'Cut', 'Fit'].map((type) => ({
              variantTypeName: type,
              variantValueName: `${type} 1`,
            })),
          }),
          bulkVariant({
            sku: 'S2',
            prices: [{ sellPrice: 10, discountPrice: 12 }],
            images: [picture(3, { isMain: true, order: 1 })],
            variantValues: [{ variantTypeName: 'Size', variantValueName: 'a / b' }],
          }),
          bulkVariant({
            sku: 'S2',
            prices: [{ sellPrice: 10, discountPrice: 8 }],
            images: [picture(4), picture(5, { isVideo: true })],
            variantValues: [
              { variantTypeName: 'Size', variantValueName: 'a' },
              { variantTypeName: 'Size', variantValueName: 'b' },
            ],
          }),
        ],
      },
      { sourceId: 'video', name: 'Video', variants: [bulkVariant({ images: [picture(6, { isVideo: true })] })] },
      { name: 'Without key', variants: [bulkVariant({ sku: 'a' }), bulkVariant({ sku: 'a' }), bulkVariant({})] },
      {
        name: 'Titled',
        productVariantTypes: [{ order: 0, variantTypeName: 'Title', variantValues: [{ name: 'Default Title' }] }],
        variants: [bulkVariant({ variantValues: [{ variantTypeName: 'Title', variantValueName: 'Default Title' }] })],
      },
      { name: 'Bare', variants: [] },
    );
    await expectRoundTrip(ctx, 5, other);
    expect(await catalogue(other)).toHaveLength(5);
  });

  it('of a product saved through GraphQL, imported again, keeps the members that a sheet does not have', async () => {
    const ctx = await newShop();
    const save = productSaver(ctx);
    await save({
      ...(await fullProductInput(ctx)),
      metaData: { slug: 'full', pageTitle: 'T', canonicals: ['https://a.example'] },
    });
    const other = await newShop(...(await labels(ctx)));
    for (const { name } of await listSalesChannel(ctx, {}, { name: {} }))
      await saveSalesChannel(other, { input: { name, type: 'STOREFRONT' } }, { id: {} });
    await expectRoundTrip(ctx, 2, other);
    const sheet = recordsOf(await exportText(ctx));
    expect(
      await importText(
        ctx,
        sheetOf(
          ...sheet.map((record) => ({
            ...record,
            ...(record.Handle === 'full' && record.Title ? { Title: 'Renamed' } : {}),
          })),
        ),
      ),
    ).toMatchObject({ updated: 1, unchanged: 1 });
    const [row] = await database.owner.execute(sql`
      select p.name, (select canonicals from html_meta_data m where m.merchant_id = p.merchant_id and m.target_id = p.id) as canonicals,
        (select sum(json_array_length(v.bundle_settings -> 'products'))::int from variant v where v.merchant_id = p.merchant_id and v.product_id = p.id) as bundled,
        cardinality(p.sales_channel_ids || p.hidden_sales_channel_ids) as channels,
        (select sum(json_array_length(v.images))::int from variant v where v.merchant_id = p.merchant_id and v.product_id = p.id) as pictures
      from product p where merchant_id = ${ctx.merchantId} and name = 'Renamed'`);
    expect(row).toMatchObject({ name: 'Renamed', canonicals: expect.anything(), bundled: 1, channels: 2, pictures: 1 });
  });

  it('finds each product again if its slug is the source id of another one', async () => {
    const ctx = await newShop();
    const save = productSaver(ctx);
    await save({ ...plainProduct('First'), metaData: { slug: 'a' } });
    await bulk(
      ctx,
      { sourceId: 'a', name: 'Second', metaData: { slug: 'b' } },
      { sourceId: 'b', name: 'Third', metaData: { slug: 'c' } },
    );
    const sheet = await exportText(ctx);
    expect(await importText(ctx, sheet)).toMatchObject({ created: 0, updated: 0, unchanged: 3, skipped: [] });
    const renamed = sheet.replace('First', '1st').replace('Second', '2nd').replace('Third', '3rd');
    expect(await importText(ctx, renamed)).toMatchObject({ created: 0, updated: 3, skipped: [] });
    expect(
      (await catalogue(ctx)).map((product) => [
        (product as { name: string }).name,
        (product as { sourceId: string | null }).sourceId,
      ]),
    ).toEqual([
      ['1st', null],
      ['2nd', 'a'],
      ['3rd', 'b'],
    ]);
  });

  it('leaves out deleted products and other merchants, and an import with --keep sheet restores a deleted one', async () => {
    const ctx = await newShop();
    await importText(await newShop(), sheetOf({ Handle: 'foreign', Title: 'Foreign', 'Variant Price': '1' }));
    await importText(
      ctx,
      sheetOf({ Handle: 'x', Title: 'X', 'Variant Price': '1' }, { Handle: 'y', Title: 'Y', 'Variant Price': '1' }),
    );
    const sheet = await exportText(ctx);
    const [gone] = await database.db.execute<{ id: string }>(
      sql`select id from product where merchant_id = ${ctx.merchantId} and name = 'X'`,
    );
    await deleteProductList(ctx, { idList: [gone!.id] });
    expect(recordsOf(await exportText(ctx)).map(({ Handle }) => Handle)).toEqual(['y']);
    const left = { created: 0, updated: 0, unchanged: 1 };
    const reason = expect.stringMatching(/^has been deleted in the shop/);
    expect(await importText(ctx, sheet)).toMatchObject({ ...left, skipped: [{ line: 2, handle: 'x', reason }] });
    expect(await importText(ctx, sheet, { keep: 'newer' })).toMatchObject({ ...left, skipped: [], kept: [{ reason }] });
    expect(recordsOf(await exportText(ctx)).map(({ Handle }) => Handle)).toEqual(['y']);
    expect(await importText(ctx, sheet, { keep: 'sheet' })).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect(untimed(await exportText(ctx))).toBe(untimed(sheet));
  });

  it('leaves out the stock at deleted locations', async () => {
    const ctx = await newShop();
    const location = async (name: string) => (await saveStockLocation(ctx, { input: { name } }, { id: {} })).id;
    const [main, other] = [await location('Main'), await location('Other')];
    const stocks = [
      { stockLocationId: main, stockCount: 2 },
      { stockLocationId: other, stockCount: 404040 },
    ];
    await bulk(ctx, { sourceId: 'x', name: 'X', variants: [{ prices: [{ sellPrice: 1 }], stocks }] });
    expect(await exportText(ctx)).toContain('404040');
    await deleteStockLocationList(ctx, { idList: [other] });
    const sheet = await exportText(ctx);
    expect(sheet).not.toContain('404040');
    expect(recordsOf(sheet)).toMatchObject([{ 'Variant Inventory Qty': '2' }]);
  });

  it('writes only a header for a shop without products, and leaves no file if it cannot write', async () => {
    const ctx = await newShop();
    const sheet = await exportText(ctx);
    expect(recordsOf(sheet)).toEqual([]);
    expect(await importText(ctx, sheet)).toMatchObject({ created: 0, unchanged: 0, skipped: [] });
    const path = join(tmpdir(), newId(), 'sheet.csv');
    await expect(exportCsv(ctx, path, { publicUrl: PUBLIC_URL, onProgress: () => {} })).rejects.toThrow('ENOENT');
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  it('and an import have the merchant in the condition of each table', () => {
    const tables = new Set([
      'product',
      'variant',
      'html_meta_data',
      'bulk_operation_image',
      'variant_value',
      'category',
      'product_tag',
      'product_brand',
      'product_stock_location',
    ]);
    const parts = ['~>~', 'as of_product', '"stockUpdatedAt"', 'as later', 'any($2::uuid[])'];
    const reads = [...new Set(database.statements)].filter((statement) =>
      parts.some((part) => statement.includes(part)),
    );
    expect(new Set(reads.flatMap((statement) => namedTables(statement, tables)))).toEqual(tables);
    expect(reads.flatMap((statement) => unboundTables(statement, tables))).toEqual([]);
  });
});

async function labels(ctx: Context): Promise<string[]> {
  const rows = await database.db.execute<{ name: string }>(
    sql`select name from price_list where merchant_id = ${ctx.merchantId} order by id`,
  );
  return rows.map(({ name }) => name);
}
