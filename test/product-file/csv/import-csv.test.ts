import { readFileSync } from 'node:fs';
import { addAbortSignal, PassThrough } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Product } from '../../../src/graphql/generated/types.ts';
import { importCsv } from '../../../src/product-file/csv/import-csv.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogueRows, exportText, importText, recordsOf, sheetOf } from './sheets.ts';
import { allOfProduct } from '../../product/products.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const newShop = (): Promise<Context> => createContext(database.db);
const list = async (ctx: Context): Promise<Product[]> =>
  (
    await listProduct(
      ctx,
      { sort: 'name', pagination: { limit: 200 } },
      { data: { ...allOfProduct, metaData: { slug: {}, pageTitle: {}, description: {} } } },
    )
  ).data;
const one = async (ctx: Context): Promise<Product> => {
  const products = await list(ctx);
  expect(products.length).toBe(1);
  return products[0]!;
};
const shirt = { Handle: 'shirt', Title: 'Shirt', 'Variant Price': '10' };

it.each([
  ['kg', 2],
  ['g', 0.002],
  ['lb', 0.907_184_74],
  ['oz', 0.056_699_046],
])('a weight of 2 %s is stored in kilograms', async (unit, kilograms) => {
  const ctx = await newShop();
  const row = { ...shirt, 'Variant Weight': '2', 'Variant Weight Unit': unit };
  expect(await importText(ctx, sheetOf(row))).toMatchObject({ created: 1, skipped: [] });
  expect((await one(ctx)).variants[0]!.weight).toBe(kilograms);
});

it('a weight unit that is the name of a member of all objects is refused', async () => {
  const row = { ...shirt, 'Variant Weight': '2', 'Variant Weight Unit': 'constructor' };
  const reason = 'Variant Weight Unit must be kg, g, lb or oz, not "constructor"';
  expect(await importText(await newShop(), sheetOf(row))).toMatchObject({ created: 0, skipped: [{ reason }] });
});

describe('the catalogue of examples/', () => {
  const sheet = readFileSync(new URL('../../../examples/catalogue.csv', import.meta.url), 'utf8');
  const records = recordsOf(sheet);
  const firsts = records.filter((record) => record.Title);

  it('has every type of product', () => {
    expect(new Set(firsts.map((first) => first['Commerce / Product Type']))).toEqual(
      new Set(['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION']),
    );
  });

  it('creates exactly the products that the file has, with their prices and counts', async () => {
    const ctx = await newShop();
    expect(await importText(ctx, sheet)).toMatchObject({
      created: firsts.length,
      updated: 0,
      unchanged: 0,
      skipped: [],
    });
    const products = await list(ctx);
    const read = products.map((product) => [
      product.metaData!.slug,
      product.name,
      product.description,
      product.brand?.name,
      product.categories!.map((category) => category.name),
      product.tags!.map((tag) => tag.name).sort(),
      product.type,
      product.totalStock,
      product.variants.map(readVariant),
    ]);
    const said = firsts.map((first) => {
      const rows = records.filter((record) => record.Handle === first.Handle);
      return [
        first.Handle,
        first.Title,
        first['Body (HTML)'],
        first.Vendor,
        [first.Type!.split(' > ').at(-1)],
        first
          .Tags!.split(',')
          .map((tag) => tag.trim())
          .filter(Boolean)
          .sort(),
        first['Commerce / Product Type'],
        rows.reduce((sum, row) => sum + Number(row['Variant Inventory Qty']), 0),
        rows.map(saidVariant),
      ];
    });
    const byHandle = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
    expect(read.sort(byHandle)).toEqual(said.sort(byHandle));
    expect(records.length).toBe(products.reduce((sum, { variants }) => sum + variants.length, 0));
  });

  it('changes nothing when it is imported again, not even a version', async () => {
    const ctx = await newShop();
    await importText(ctx, sheet);
    const [rows, versions] = [await catalogueRows(ctx), await versionsOf(ctx)];
    expect(await importText(ctx, sheet)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: firsts.length,
      skipped: [],
      imagesPending: 0,
    });
    expect([await catalogueRows(ctx), await versionsOf(ctx)]).toEqual([rows, versions]);
  });
});

type Row = Record<string, string>;

function readVariant({
  sku,
  isActive,
  prices,
  weight,
  barcodeList,
  stocks,
  variantValueIds,
}: Product['variants'][number]): unknown[] {
  return [
    sku,
    isActive,
    prices.length,
    prices[0]!.sellPrice,
    prices[0]!.discountPrice,
    weight,
    barcodeList,
    stocks!.map(({ stockCount }) => stockCount),
    variantValueIds!.length,
  ];
}

function saidVariant(row: Row): unknown[] {
  const [price, compareAt] = [Number(row['Variant Price']), Number(row['Variant Compare At Price'])];
  const reduced = compareAt > price;
  const options = [1, 2, 3].filter((n) => row[`Option${n} Value`] && row[`Option${n} Value`] !== 'Default Title');
  return [
    row['Variant SKU'] || null,
    row.Status !== 'draft',
    1,
    reduced ? compareAt : price,
    reduced ? price : null,
    Number(row['Variant Grams']) / 1_000,
    row['Variant Barcode'] ? [row['Variant Barcode']] : [],
    [Number(row['Variant Inventory Qty'])],
    options.length,
  ];
}

async function versionsOf(ctx: Context): Promise<unknown> {
  return [
    ...(await ctx.db.execute(
      sql`select id, version, updated_at from product where merchant_id = ${ctx.merchantId} order by id`,
    )),
  ];
}

describe('an import', () => {
  it('reads a byte order mark, CRLF, quoted line breaks and the column names of newer exports, in chunks of 7 bytes', async () => {
    const ctx = await newShop();
    const sheet =
      '\ufeffURL HANDLE,title,Description,Product category,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Cost per item,Inventory quantity,Continue selling when out of stock,Weight value (grams),Requires shipping,SEO title,SEO description\r\n' +
      'ünï,Ünï 🛍,"a ""b"", c\r\nd",Clothing > Shirts,"x, y,x",TRUE,Draft,S-1,123,Size,S,19.90,25,7.5,-2,TRUE,250,FALSE,Page,About\r\n' +
      '\r\nünï,,,,,,,S-2,,,M,20,20,,,deny,,,,\r\n';
    expect(await importText(ctx, sheet, { chunkSize: 7 })).toMatchObject({ created: 1, skipped: [] });
    expect(await one(ctx)).toMatchObject({
      name: 'Ünï 🛍',
      description: 'a "b", c\r\nd',
      type: 'DIGITAL',
      brand: null,
      categories: [{ name: 'Shirts' }],
      tags: [{ name: 'x' }, { name: 'y' }],
      metaData: { slug: 'ünï', pageTitle: 'Page', description: 'About' },
      productVariantTypes: [{ name: 'Size', values: [{ name: 'S' }, { name: 'M' }] }],
      variants: [
        {
          sku: 'S-1',
          barcodeList: ['123'],
          isActive: false,
          weight: 0.25,
          sellIfOutOfStock: true,
          prices: [{ sellPrice: 25, discountPrice: 19.9, buyPrice: 7.5 }],
          stocks: [{ stockCount: -2 }],
        },
        {
          sku: 'S-2',
          barcodeList: [],
          isActive: false,
          weight: null,
          sellIfOutOfStock: false,
          prices: [{ sellPrice: 20, discountPrice: null, buyPrice: null }],
          stocks: [],
        },
      ],
    });
  });

  it('is interrupted before the first line is complete, whether the input ends with the signal or not', async () => {
    const ctx = await newShop();
    for (const isEnded of [false, true]) {
      const interruption = new AbortController();
      const input = new PassThrough();
      const chunks = isEnded ? input : addAbortSignal(interruption.signal, input);
      const importing = importCsv(ctx, chunks, { retryImages: false, onBatch: () => {}, signal: interruption.signal });
      input.write('Handel,Tit');
      interruption.abort();
      if (isEnded) input.end();
      expect(await importing).toMatchObject({ created: 0, skipped: [], interrupted: true });
    }
  });

  it('gives the pictures of the product to the first variant, by position, and other variants their own', async () => {
    const ctx = await newShop();
    await importText(
      ctx,
      sheetOf(
        {
          ...shirt,
          'Option1 Name': 'Size',
          'Option1 Value': 'S',
          'Image Src': 'https://p.example/2.jpg',
          'Image Position': '2',
        },
        {
          Handle: 'shirt',
          'Option1 Value': 'M',
          'Variant Price': '11',
          'Image Src': 'https://p.example/1.jpg',
          'Image Position': '1',
          'Variant Image': 'https://p.example/m.jpg',
        },
        { Handle: 'shirt', 'Image Src': 'https://p.example/3.jpg', 'Image Position': '3' },
      ),
    );
    const rows = await database.db.execute(sql`
      select right(url, 5) as url, is_main as "isMain", "order", (select sku is null and position = 0 from variant v where v.merchant_id = ${ctx.merchantId} and v.id = i.variant_id) as "ofFirst"
      from bulk_operation_image i where merchant_id = ${ctx.merchantId} order by "ofFirst" desc, "order"`);
    expect([...rows]).toEqual([
      { url: '1.jpg', isMain: true, order: '1', ofFirst: true },
      { url: '2.jpg', isMain: false, order: '2', ofFirst: true },
      { url: '3.jpg', isMain: false, order: '3', ofFirst: true },
      { url: 'm.jpg', isMain: true, order: '1', ofFirst: false },
    ]);
  });

  it('requests pictures that failed again only with --retry-images', async () => {
    const ctx = await newShop();
    const sheet = sheetOf({ ...shirt, 'Image Src': 'https://p.example/1.jpg' });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 1, imagesPending: 1 });
    await database.db.execute(
      sql`update bulk_operation_image set state = 'FAILED', error = 'gone' where merchant_id = ${ctx.merchantId}`,
    );
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, imagesPending: 0 });
    expect(await importText(ctx, sheet, { retryImages: true })).toMatchObject({ updated: 1, imagesPending: 1 });
  });

  it('keeps pictures that were fetched, whichever is the main one now, and fetches new ones', async () => {
    const ctx = await newShop();
    const pictured = (...urls: string[]) =>
      sheetOf(
        ...urls.map((url, index) => ({
          ...(index === 0 ? shirt : { Handle: 'shirt' }),
          'Image Src': `https://p.example/${url}`,
        })),
      );
    expect(await importText(ctx, pictured('1', '2', '3'))).toMatchObject({ imagesPending: 3 });
    // The first picture failed, so the second is the main one. The third is a duplicate of the second.
    await database.db.execute(sql`
      update variant set images = ('[{"imageId":"x","fileName":null,"isMain":true,"isVideo":null,"order":2,"sourceUrl":"' || fetched.url || '"}]')::json
      from bulk_operation_image as fetched
      where variant.merchant_id = ${ctx.merchantId} and fetched.merchant_id = ${ctx.merchantId} and fetched.variant_id = variant.id and fetched.url like '%2'`);
    await database.db.execute(
      sql`update bulk_operation_image set state = case when url like '%1' then 'FAILED' else 'DONE' end where merchant_id = ${ctx.merchantId}`,
    );
    expect(await importText(ctx, pictured('1', '2', '3'))).toMatchObject({ unchanged: 1, imagesPending: 0 });
    const exported = await exportText(ctx);
    expect(recordsOf(exported).map((record) => record['Image Src'])).toEqual([
      'https://p.example/1',
      'https://p.example/2',
    ]);
    expect(await importText(ctx, exported)).toMatchObject({ unchanged: 1 });
    expect(await importText(ctx, pictured('1', '2', '4'))).toMatchObject({ updated: 1, imagesPending: 2 });
    const images = await database.db.execute(
      sql`select unnest(json_texts(images, 'sourceUrl')) as url from variant where merchant_id = ${ctx.merchantId}`,
    );
    expect([...images]).toEqual([{ url: 'https://p.example/2' }]);
  });

  it('changes the cells of the sheet, and keeps products and columns that the sheet does not have', async () => {
    const ctx = await newShop();
    await importText(
      ctx,
      sheetOf(
        { ...shirt, Vendor: 'Acme', Tags: 'a', 'Variant SKU': 'S', 'Variant Grams': '100', 'Cost per item': '4' },
        { Handle: 'other', Title: 'Other', 'Variant Price': '5' },
      ),
    );
    const [before] = await list(ctx);
    expect(
      await importText(ctx, sheetOf({ ...shirt, 'Variant Price': '12' }, { Handle: 'other', 'Variant Price': '5' })),
    ).toMatchObject({ created: 0, updated: 1, unchanged: 1, skipped: [] });
    const [other, changed] = await list(ctx);
    expect(other).toEqual(before);
    expect(changed).toMatchObject({
      name: 'Shirt',
      brand: { name: 'Acme' },
      tags: [{ name: 'a' }],
      variants: [{ sku: 'S', weight: 0.1, prices: [{ sellPrice: 12, buyPrice: 4 }] }],
    });
    expect(
      await importText(ctx, sheetOf({ ...shirt, 'Variant Price': '12', Vendor: '', 'Variant Grams': '' })),
    ).toMatchObject({ updated: 1 });
    expect((await list(ctx))[1]).toMatchObject({ brand: null, tags: [{ name: 'a' }], variants: [{ weight: null }] });
  });

  it('keeps the id of a variant at a new position, and deletes one that the sheet no longer has', async () => {
    const ctx = await newShop();
    const variant = (size: string, price: string) => ({
      Handle: 'shirt',
      'Option1 Name': 'Size',
      'Option1 Value': size,
      'Variant Price': price,
      Title: 'Shirt',
    });
    await importText(ctx, sheetOf(variant('S', '1'), variant('M', '2')));
    const before = await one(ctx);
    await importText(ctx, sheetOf(variant('XS', '0'), variant('M', '2')));
    const after = await one(ctx);
    expect(after.variants.map(({ prices }) => prices[0]!.sellPrice)).toEqual([0, 2]);
    expect(after.variants[1]!.id).toBe(before.variants[1]!.id);
    expect(await importText(ctx, sheetOf({ Handle: 'shirt', Title: 'Renamed', 'Variant Price': '9' }))).toMatchObject({
      updated: 1,
    });
    expect(await one(ctx)).toMatchObject({
      name: 'Renamed',
      variants: after.variants.map(({ id, prices }) => ({ id, prices })),
    });
  });

  it('finds a product that was not imported by its slug, and keeps its variants', async () => {
    const ctx = await newShop();
    const input = {
      name: 'Blue Shirt',
      type: 'PHYSICAL' as const,
      variants: [{ sku: 'B', isActive: true, prices: [{ sellPrice: 3 }] }],
    };
    const saved = await saveProduct(ctx, { input }, allOfProduct);
    expect(
      await importText(ctx, sheetOf({ Handle: 'blue-shirt', 'Variant SKU': 'B', 'Variant Price': '4' })),
    ).toMatchObject({ created: 0, updated: 1 });
    expect(await one(ctx)).toMatchObject({
      id: saved.id,
      name: 'Blue Shirt',
      variants: [{ id: saved.variants[0]!.id, prices: [{ sellPrice: 4 }] }],
    });
  });

  it('names the columns that it does not read', async () => {
    const ctx = await newShop();
    const sheet = sheetOf({ ...shirt, 'Google Shopping / Gender': 'unisex', 'Option4 Value': 'alone', Colour: 'red' });
    expect(await importText(ctx, sheet)).toMatchObject({
      created: 1,
      ignoredColumns: ['Google Shopping / Gender', 'Option4 Value', 'Colour'],
    });
  });

  it('sets prices of the price lists that the merchant has and names the columns of others', async () => {
    const ctx = await newShop();
    await savePriceList(ctx, { input: { name: 'Europe', currency: 'EUR', currencySymbol: '€' } }, { id: {} });
    const sheet = sheetOf({ ...shirt, 'Price / Europe': '9', 'Compare At Price / Europe': '12', 'Price / Moon': '1' });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 1, ignoredColumns: ['Price / Moon'] });
    expect((await one(ctx)).variants[0]!.prices).toMatchObject([
      { sellPrice: 10, priceListId: null },
      { sellPrice: 12, discountPrice: 9, currency: 'EUR' },
    ]);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1 });
  });

  it('skips products with invalid rows, with line and reason, and imports the others', async () => {
    const ctx = await newShop();
    const good = (handle: string) => ({ Handle: handle, Title: handle, 'Variant Price': '1' });
    const sheet = sheetOf(
      good('one'),
      { ...good('words'), 'Variant Price': '1,500' },
      { ...good('negative'), 'Variant Price': '-1' },
      { ...good('long'), Title: 'x'.repeat(256) },
      good('two'),
      { Handle: 'no-price', Title: 'x' },
      { Handle: 'no-title', 'Variant Price': '1' },
      { Handle: '', Title: 'nobody' },
      { ...good('twins'), 'Option1 Name': 'Size', 'Option1 Value': 'S' },
      { Handle: 'twins', 'Option1 Value': 'S', 'Variant Price': '2' },
      good('one'),
      { ...good('nul'), Vendor: 'a\0b' },
      { ...good('infinite'), 'Variant Price': '1e999' },
      { ...good('odd'), Status: 'maybe' },
      good('three'),
    );
    const { skipped, ...counts } = await importText(ctx, sheet);
    expect(counts).toMatchObject({ created: 2, updated: 0, unchanged: 0 });
    expect(skipped.map(({ line, handle }) => [line, handle])).toEqual([
      [2, 'one'],
      [3, 'words'],
      [4, 'negative'],
      [5, 'long'],
      [7, 'no-price'],
      [8, 'no-title'],
      [9, null],
      [11, 'twins'],
      [12, 'one'],
      [13, 'nul'],
      [14, 'infinite'],
      [15, 'odd'],
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'the rows of a product must follow each other, and this handle is there on row 12',
      'Variant Price must be a number that is clear: "1,500" could be 1500 or 1.500',
      'Variant Price must not be negative',
      'Title must have at most 255 characters',
      'has no Variant Price',
      'row 9 has no Handle, and may be a variant of this product; has no Title',
      'has no Handle',
      'is the same variant as row 10: options, or without them the SKU, have to differ',
      'the rows of a product must follow each other, and this handle was there on row 2',
      expect.stringContaining('NUL'),
      expect.stringMatching(/^Variant Price must have at most 6 decimals/),
      'Status must be active, draft, archived or unlisted, not "maybe"',
    ]);
    expect((await list(ctx)).map(({ name }) => name)).toEqual(['three', 'two']);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['is empty', '', /empty/],
    ['has blank lines only', '\n\n\r\n', /empty/],
    ['has no header', 'shirt,Shirt,10\nhat,Hat,5\n', /no column Handle/],
    ['has another delimiter', 'Handle|Title\nshirt|Shirt\n', /no column Handle/],
    ['is binary', Uint8Array.from({ length: 4_096 }, (_, index) => (index * 197 + 128) % 256), /not UTF-8/],
    ['has too many columns', `Handle${',x'.repeat(20_000)}\n`, /more than 20000 columns/],
    ['is one long line', 'x'.repeat(11_000_000), /more than 10485760 bytes/],
  ])('refuses a file that %s', async (_name, sheet, message) => {
    const ctx = await newShop();
    await expect(importText(ctx, sheet)).rejects.toThrow(message);
    expect(await list(ctx)).toEqual([]);
  });

  it('reads a file of as many columns as allowed', async () => {
    const sheet = `Handle,Title,Variant Price${',x'.repeat(19_997)}\ntee,Tee,1${','.repeat(19_997)}\n`;
    expect(await importText(await newShop(), sheet)).toMatchObject({ created: 1, skipped: [] });
  });

  it.each<[string, string, [number, string | null, RegExp]]>([
    [
      'a quote that is not closed',
      'Handle,Title,Variant Price\na,A,1\nb,B,2\nc,"C,3\nd,D,4\n',
      [4, 'b', /quote is opened/],
    ],
    [
      'a field without end',
      `Handle,Title,Variant Price\na,A,1\nb,B,2\nc,"${'x'.repeat(11_000_000)}",3\nd,D,4\n`,
      [4, 'b', /more than 10485760 bytes/],
    ],
    [
      'a row with a cell too few',
      'Handle,Title,Variant Price\na,A,1\nb,B\n',
      [3, 'b', /2 cells where the first line has 3/],
    ],
    ['a row with a cell too many', 'Handle,Title,Variant Price\na,A,1\nb,B,1,x\n', [3, 'b', /4 cells/]],
    [
      'a description that is too long',
      `Handle,Title,Variant Price,Body (HTML)\na,A,1,\nb,B,1,${'x'.repeat(70_000)}\n`,
      [3, 'b', /^Body \(HTML\) must have at most 65536/],
    ],
  ])('imports the products before %s', async (_name, sheet, [line, handle, reason]) => {
    const ctx = await newShop();
    const { created, skipped } = await importText(ctx, sheet);
    expect([created, skipped]).toMatchObject([1, [{ line, row: line, handle, reason: expect.stringMatching(reason) }]]);
    expect((await list(ctx)).map(({ name }) => name)).toEqual(['A']);
  });
});
