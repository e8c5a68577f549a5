import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import type { Context } from '../../src/context.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { importJsonLines } from '../../src/product-file/json-lines/import-json-lines.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { updateProduct } from '../../src/product/updateProduct.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { plainProduct, productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { untimed } from './csv/sheets.ts';
import { createCatalogue, settings } from './catalogues.ts';
import { exportFile, type Format, FORMATS, importFile, tryFile } from './files.ts';

const RUNS = Number(process.env['ROUND_TRIP_RUNS'] ?? 4);
const TIMEOUT_MS = 60_000 + RUNS * 5_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('an export of a random catalogue', () => {
  it.each(Object.keys(FORMATS) as Format[])(
    'as %s makes the same catalogue in another shop, and changes nothing in its own',
    { timeout: TIMEOUT_MS },
    async (format) => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const [own, other] = [await createContext(database.db), await createContext(database.db)];
          await createCatalogue(own, await settings(own), seed);
          await settings(other);
          const { text, products, omitted } = await exportFile(own, format);
          // Of uploaded pictures a file has the address of a rendition, not the id.
          expect(omitted.filter(({ member }) => member !== 'ProductImage.imageId')).toEqual([]);
          const nothing = { ignoredColumns: [], unknownNames: [], skipped: [], kept: [] };
          const { warnings = [], warningCount: _, ...tried } = await tryFile(own, format, text);
          // Some products have a sku twice.
          expect(warnings.filter(({ reason }) => !reason.includes('is the sku of'))).toEqual([]);
          expect(tried).toEqual({
            ...nothing,
            created: 0,
            updated: 0,
            unchanged: products,
            imagesPending: 0,
            differences: [],
          });
          expect(await importFile(own, format, text)).toMatchObject({ ...nothing, unchanged: products });
          expect((await exportFile(own, format)).text).toBe(text);
          expect(await importFile(other, format, text)).toMatchObject({ ...nothing, created: products });
          expect(untimed((await exportFile(other, format)).text)).toBe(untimed(text));
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );
});

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  const shop = async () => {
    const ctx = await createContext(database.db);
    await productSaver(ctx)({ ...plainProduct('Shirt', 's', 10), metaData: { slug: 'shirt' } });
    const { text } = await exportFile(ctx, format);
    return {
      ctx,
      text,
      cheaper: text.replace(format === 'csv' ? ',10,' : '"sellPrice":10,', (at) => at.replace('10', '7')),
    };
  };
  const price = async (ctx: Context) =>
    (await listProduct(ctx, {}, { data: { variants: { prices: { sellPrice: {} } } } })).data[0]!.variants[0]!.prices[0]!
      .sellPrice;

  it('shows each difference in a dry run, and writes nothing', async () => {
    const { ctx, cheaper } = await shop();
    const { differences, updated } = await tryFile(ctx, format, cheaper);
    expect(updated).toBe(1);
    const members = [{ member: 'variants[s].prices.sellPrice', old: 10, new: 7 }];
    const written = { outcome: 'WRITTEN', reason: null };
    expect(differences).toEqual([{ handle: 'shirt', name: 'Shirt', change: 'UPDATED', ...written, members }]);
    expect(await price(ctx)).toBe(10);
    expect(await importFile(ctx, format, cheaper)).toMatchObject({ updated: 1, skipped: [] });
    expect(await price(ctx)).toBe(7);
  });

  it('overwrites a newer price only with --keep sheet', async () => {
    const { ctx, text, cheaper } = await shop();
    const [product] = (await listProduct(ctx, {}, { data: { id: {}, variants: { id: {} } } })).data;
    const patch = { variants: [{ id: product!.variants[0]!.id, prices: [{ sellPrice: 12 }] }] };
    await updateProduct(ctx, { id: product!.id, patch }, { id: {} });
    for (const file of [text, cheaper]) {
      const { skipped } = await importFile(ctx, format, file);
      expect(skipped[0]!.reason).toMatch(/^has been changed in the shop at \S+, after the export: --keep sheet/);
      expect(await importFile(ctx, format, file, { keep: 'newer' })).toMatchObject({
        updated: 0,
        skipped: [],
        kept: [{ handle: 'shirt' }],
      });
    }
    expect(await price(ctx)).toBe(12);
    expect(await importFile(ctx, format, cheaper, { keep: 'sheet' })).toMatchObject({ updated: 1 });
    expect(await price(ctx)).toBe(7);
  });

  it('skips a product changed after the export, also if its stock has a later change', async () => {
    const { ctx } = await shop();
    const { id: stockLocationId } = await saveStockLocation(ctx, { input: { name: 'Main' } }, { id: {} });
    const [product] = (await listProduct(ctx, {}, { data: { id: {}, variants: { id: {} } } })).data;
    const place = { productId: product!.id, variantId: product!.variants[0]!.id, stockLocationId };
    await saveProductStockLocations(ctx, {
      input: { productStockLocationInputs: [{ ...place, stockCount: 5 }] },
    } as never);
    const { text } = await exportFile(ctx, format);
    // Simulates a transaction that began before the change of the stock and was committed after the export: its
    // `updated_at` is older than the last change of the stock.
    // A cluster refuses the sum in SET.
    const [row] = await ctx.db.execute<{ later: string }>(sql`
      select (updated_at + interval '1 ms')::text as later from product
      where merchant_id = ${ctx.merchantId} and id = ${product!.id}`);
    await ctx.db.execute(sql`
      update product set name = 'Renamed', updated_at = ${row!.later}::timestamptz
      where merchant_id = ${ctx.merchantId} and id = ${product!.id}`);
    const { skipped } = await importFile(ctx, format, text);
    expect(skipped[0]!.reason).toMatch(/^has been changed in the shop at/);
  });

  it('does not overwrite a change that is committed between the comparison and the write', async () => {
    const { ctx, cheaper } = await shop();
    const [product] = (await listProduct(ctx, {}, { data: { id: {}, variants: { id: {} } } })).data;
    const patch = { variants: [{ id: product!.variants[0]!.id, prices: [{ sellPrice: 12 }] }] };
    const { imported } = await ctx.db.transaction(async (db) => {
      await updateProduct({ ...ctx, db } as Context, { id: product!.id, patch }, { id: {} });
      const imported = importFile(ctx, format, cheaper);
      await waitForLocks(database.db, 1);
      return { imported };
    });
    expect(await imported).toMatchObject({
      updated: 0,
      skipped: [{ handle: 'shirt', reason: 'has been changed in the shop during the import' }],
    });
    expect(await price(ctx)).toBe(12);
  });

  describe('keeps other members that the shop changes between the comparison and the write:', () => {
    const importDuring = async (ctx: Context, text: string, change: SQL) => {
      const { imported } = await ctx.db.transaction(async (db) => {
        await db.execute(sql`select from product where merchant_id = ${ctx.merchantId} for update`);
        await db.execute(change);
        const imported = importFile(ctx, format, text, { keep: 'sheet' });
        await waitForLocks(database.db, 1);
        return { imported };
      });
      expect(await imported).toMatchObject({ updated: 1, skipped: [] });
      const selection = { name: {}, type: {}, categoryIds: {}, variants: { fileId: {}, isActive: {} } };
      return (await listProduct(ctx, {}, { data: selection })).data[0]!;
    };

    it('of the product', async () => {
      const { ctx, cheaper } = await shop();
      const { id } = await saveCategory(ctx, { input: { name: 'Sale' } }, { id: {} });
      const change = sql`
        update product set name = 'Renamed', type = 'DIGITAL', category_ids = array[${id}::uuid]
        where merchant_id = ${ctx.merchantId}`;
      expect(await importDuring(ctx, cheaper, change)).toMatchObject({
        name: 'Renamed',
        type: 'DIGITAL',
        categoryIds: [id],
      });
      expect(await price(ctx)).toBe(7);
    });

    it('of a variant', async () => {
      const { ctx, cheaper } = await shop();
      const change = sql`
        update variant set file_id = 'mine', is_active = false where merchant_id = ${ctx.merchantId}`;
      expect(await importDuring(ctx, cheaper, change)).toMatchObject({
        variants: [{ fileId: 'mine', isActive: false }],
      });
      expect(await price(ctx)).toBe(7);
    });

    it('its prices', async () => {
      const { ctx, text } = await shop();
      const change = sql`
        update variant set prices = replace(prices::text, '"sellPrice":10', '"sellPrice":12')::json
        where merchant_id = ${ctx.merchantId}`;
      expect(await importDuring(ctx, text.replace('Shirt', 'Blouse'), change)).toMatchObject({ name: 'Blouse' });
      expect(await price(ctx)).toBe(12);
    });
  });

  it('shows in a dry run what --keep sheet would change in products that the shop has changed or deleted', async () => {
    const { ctx, cheaper } = await shop();
    const [product] = (await listProduct(ctx, {}, { data: { id: {}, variants: { id: {} } } })).data;
    const { id, variants } = product!;
    const patch = { variants: [{ id: variants[0]!.id, prices: [{ sellPrice: 12 }] }] };
    await updateProduct(ctx, { id, patch }, { id: {} });
    const members = [{ member: 'variants[s].prices.sellPrice', old: 12, new: 7 }];
    const changed = { handle: 'shirt', change: 'UPDATED', reason: expect.stringMatching(/^has been changed/), members };
    for (const [keep, outcome, list] of [
      [undefined, 'SKIPPED', 'skipped'],
      ['newer', 'KEPT', 'kept'],
    ] as const) {
      const tried = await tryFile(ctx, format, cheaper, { keep });
      expect(tried).toMatchObject({
        updated: 0,
        [list]: [{ handle: 'shirt' }],
        differences: [{ ...changed, outcome }],
      });
      expect([...tried.skipped, ...tried.kept]).toHaveLength(1);
    }
    expect(await tryFile(ctx, format, cheaper, { keep: 'sheet' })).toMatchObject({
      updated: 1,
      differences: [{ outcome: 'WRITTEN', reason: null, members }],
    });
    expect(await price(ctx)).toBe(12);
    await deleteProductList(ctx, { idList: [id] });
    const { differences } = await tryFile(ctx, format, cheaper);
    const restored = { member: 'deleted', old: true, new: false };
    expect(differences).toMatchObject([{ outcome: 'SKIPPED', reason: 'has been deleted in the shop' }]);
    expect(differences[0]!.members).toContainEqual(restored);
    expect((await listProduct(ctx, {}, { data: { id: {} } })).data).toEqual([]);
  });

  it('shows in a dry run what would be refused with --keep sheet too', async () => {
    const { ctx, cheaper } = await shop();
    const [product] = (await listProduct(ctx, {}, { data: { id: {} } })).data;
    await updateProduct(ctx, { id: product!.id, patch: { vendorId: 'v' } }, { id: {} });
    const long = cheaper.replace('Shirt', 'x'.repeat(2_000));
    const { skipped, differences } = await tryFile(ctx, format, long);
    expect(differences).toEqual([]);
    expect(skipped).toMatchObject([{ reason: expect.stringMatching(/--keep newer leaves it; --keep sheet would be/) }]);
  });

  it('overwrites a newer stock only with --keep sheet, and never with a file without stock', async () => {
    const { ctx } = await shop();
    const { id: stockLocationId } = await saveStockLocation(ctx, { input: { name: 'Main' } }, { id: {} });
    const [product] = (await listProduct(ctx, {}, { data: { id: {}, variants: { id: {} } } })).data;
    const place = { productId: product!.id, variantId: product!.variants[0]!.id, stockLocationId };
    const stock = async (stockCount: number) => {
      const input = { productStockLocationInputs: [{ ...place, stockCount }] };
      await saveProductStockLocations(ctx, { input } as never);
    };
    await stock(5);
    const { text } = await exportFile(ctx, format);
    expect(await importFile(ctx, format, text)).toMatchObject({ unchanged: 1, skipped: [] });
    await stock(3);
    const { skipped } = await importFile(ctx, format, text);
    expect(skipped[0]!.reason).toMatch(/^has another stock in the shop since \S+, after the export: --keep sheet/);
    const { kept, differences } = await tryFile(ctx, format, text, { keep: 'newer' });
    const members = [{ member: 'variants[s].stocks', old: 3, new: 5 }];
    expect({ kept, differences }).toMatchObject({
      kept: [{ handle: 'shirt' }],
      differences: [{ handle: 'shirt', outcome: 'KEPT', members }],
    });
    const withoutStock = text
      .replace('Variant Inventory Qty', 'Other')
      .replace('Commerce / Stock Locations', 'Another')
      .replace(/"stocks":\[[^\]]*\],/, '')
      .replace(format === 'csv' ? ',10,' : '"sellPrice":10,', (at) => at.replace('10', '7'));
    expect(await importFile(ctx, format, withoutStock)).toMatchObject({ updated: 1, skipped: [] });
    expect(await importFile(ctx, format, text, { keep: 'sheet' })).toMatchObject({ updated: 1 });
    expect((await exportFile(ctx, format)).text).toMatch(format === 'csv' ? /,5,/ : /"stockCount":5/);
  });

  it('names members that an export leaves out, and price lists and channels that the shop does not have', async () => {
    const [own, other] = [await createContext(database.db), await createContext(database.db)];
    const { priceLists, channels } = await settings(own);
    const part = await productSaver(own)(plainProduct('Part'));
    const bundleSettings = {
      products: [{ id: 'k', productId: part.id, quantity: 1, order: 1, filteredVariantIds: [] }],
    };
    const variants = [{ prices: [{ sellPrice: 1 }, { sellPrice: 2, priceListId: priceLists[0] }], bundleSettings }];
    await productSaver(own)({ name: 'Bundle', type: 'BUNDLE', salesChannelIds: channels, variants });
    await deleteProductList(own, { idList: [part.id] });
    const { text, omitted } = await exportFile(own, format);
    expect(omitted).toEqual([
      { handle: null, member: 'Product.deleted', reason: 'is not in files (records: 1)' },
      { handle: 'bundle', member: 'bundleSettings', reason: 'refers to a deleted record' },
    ]);
    const { created, unknownNames, ignoredColumns } = await importFile(other, format, text);
    expect(created).toBe(1);
    expect(unknownNames).toEqual(expect.arrayContaining(['sales channel Web', 'sales channel Shop, "North"']));
    const list = format === 'csv' ? ignoredColumns : unknownNames;
    expect(list).toContainEqual(expect.stringMatching(/(Price \/|price list) Wholesale/));
  });
});

it('an export names members of brands, categories and other records that files do not have, and counts them', async () => {
  const ctx = await createContext(database.db);
  const picture = randomUUID();
  const metaData = { slug: 'acme', pageTitle: 'Title' };
  await saveProductBrand(ctx, { input: { name: 'Plain', description: 'written' } as never }, {});
  await saveProductBrand(ctx, { input: { name: 'Acme', orderType: 'NEWEST', metaData } as never }, {});
  const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['mug'] }];
  await saveCategory(ctx, { input: { name: 'Mugs', isAutomated: true, conditions } as never }, {});
  const translations = [{ locale: 'de', name: 'Größe' }];
  const values = [{ name: 'M', order: 1 }];
  await saveVariantType(ctx, { input: { name: 'Size', selectionType: 'choice', values, translations } as never }, {});
  await saveProductAttribute(ctx, { input: { name: 'Care', type: 'TEXT', description: 'how' } as never }, {});
  const kept = await productSaver(ctx)(plainProduct('Kept'));
  const gone = await productSaver(ctx)(plainProduct('Gone'));
  await deleteProductList(ctx, { idList: [gone.id] });
  const images = [
    {
      imageId: picture,
      fileName: 'a.png',
      sourceUrl: 'https://a.example/a.png',
      isMain: true,
      isVideo: null,
      order: 0,
    },
  ];
  await ctx.db.execute(sql`
    update variant set images = ${JSON.stringify(images)}::json where merchant_id = ${ctx.merchantId} and product_id = ${kept.id}`);
  await ctx.db.execute(sql`
    update product_brand set image_id = ${picture} where merchant_id = ${ctx.merchantId} and name = 'Acme'`);
  const { omitted, omittedCount } = await exportFile(ctx, 'jsonl');
  expect(omitted).toEqual(
    Object.entries({
      'Product.deleted': 1,
      'ProductImage.fileName': 1,
      'ProductBrand.imageId': 1,
      'ProductBrand.orderType': 1,
      'ProductBrand.metaData': 1,
      'Category.conditions': 1,
      'VariantType.translations': 1,
      'ProductAttribute.description': 1,
    }).map(([member, count]) => ({ handle: null, member, reason: `is not in files (records: ${count})` })),
  );
  expect(omittedCount).toBe(omitted.length);
});

describe('a file of JSON lines', () => {
  const product = (more: object = {}) => ({
    handle: 'a',
    name: 'A',
    type: 'PHYSICAL',
    variants: [{ prices: [{ sellPrice: 1 }] }],
    ...more,
  });

  it('with invalid lines is imported without these lines', async () => {
    const ctx = await createContext(database.db);
    const deep = `{"handle":"a","attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const lines: [string | Buffer, RegExp | null][] = [
      [JSON.stringify(product()), null],
      ['', null],
      ['{"handle":', /^is not JSON$/],
      [deep, /^is nested deeper than 32 levels$/],
      ['[]', /expected object/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /^is not UTF-8 text$/],
      [JSON.stringify(product({ handle: 'nul', name: 'a\0b' })), /NUL/],
      [JSON.stringify(product({ handle: 'misspelt', descripton: 'x' })), /descripton/],
      [JSON.stringify(product({ handle: 'type', type: 'CAR' })), /^type: /],
      [JSON.stringify(product({ handle: 'price', variants: [{ prices: [{ sellPrice: '1' }] }] })), /sellPrice/],
      [JSON.stringify(product({ handle: 'b' })), null],
    ];
    const file = Buffer.concat(lines.flatMap(([line]) => [Buffer.from(line), Buffer.from('\n')]));
    const { created, skipped } = await importFile(ctx, 'jsonl', file);
    expect(created).toBe(2);
    const wrong = lines.flatMap(([, reason], index) =>
      reason ? [{ line: index + 1, reason: expect.stringMatching(reason) }] : [],
    );
    expect(skipped.map(({ line, reason }) => ({ line, reason }))).toEqual(wrong);
  });

  it('with an endless line is refused before it fills the memory', async () => {
    const ctx = await createContext(database.db);
    const block = Buffer.alloc(1_048_576, 'x');
    let sent = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${JSON.stringify(product())}\n"`);
      for (; sent < 1_024; sent++) yield await Promise.resolve(block);
    }
    const { created, skipped } = await importJsonLines(ctx, chunks(), { retryImages: false, onBatch: () => {} });
    expect([created, skipped]).toMatchObject([
      1,
      [{ line: 2, handle: null, reason: expect.stringMatching(/^has more than/) }],
    ]);
    expect(sent).toBeLessThan(16);
  });
});

describe('the catalogue of examples/ as JSON lines', () => {
  it('has the products of the sheet, with bundles, attributes and colours, and is unchanged when imported again', async () => {
    const [ctx, other] = [await createContext(database.db), await createContext(database.db)];
    const lines = readFileSync(new URL('../../examples/catalogue.jsonl', import.meta.url));
    const sheet = readFileSync(new URL('../../examples/catalogue.csv', import.meta.url));
    const products = lines.toString().trim().split('\n').length;
    expect(await importFile(ctx, 'jsonl', lines)).toMatchObject({ created: products, skipped: [], unknownNames: [] });
    expect(await importFile(ctx, 'jsonl', lines)).toMatchObject({ unchanged: products, skipped: [] });
    expect(await importFile(ctx, 'csv', sheet)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: products,
      skipped: [],
    });
    const { text, omitted } = await exportFile(ctx, 'csv');
    expect(omitted).toEqual([]);
    expect(text).toMatch(/stone-mug[^\n]*walnut-tray/);
    await importFile(other, 'csv', text);
    expect(untimed((await exportFile(other, 'jsonl')).text)).toBe(untimed((await exportFile(ctx, 'jsonl')).text));
  });
});
