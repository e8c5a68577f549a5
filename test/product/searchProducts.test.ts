import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteProductBrandList } from '../../src/brand/deleteProductBrandList.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { updateAllSearchDocuments } from '../../src/product/search/search-documents.ts';
import { searchProducts } from '../../src/product/searchProducts.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allOfProduct, fullProductInput, plainProduct, productSaver } from './products.ts';

const id = { id: {} };
const everything = {
  count: {},
  totalCount: {},
  limit: {},
  page: {},
  hasNext: {},
  results: { id: {}, name: {} },
  facets: { field: {}, values: { id: {}, name: {}, count: {} } },
};

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const save = (input: object) => productSaver(ctx)(input);
const search = (input: object, context = ctx) => searchProducts(context, { input }, everything);
const names = async (input: object | string) =>
  (await search(typeof input === 'string' ? { query: input } : input)).results.map(({ name }) => name);
const found = async (input: object | string) => (await names(input)).toSorted();

/** Creates a merchant with products of these names. */
async function shopOf(...productNames: string[]): Promise<void> {
  ctx = await createContext(database.db);
  for (const name of productNames) await save(plainProduct(name));
}

async function execute(statement: ReturnType<typeof sql>): Promise<void> {
  await database.db.execute(statement);
}

describe('searchProducts', () => {
  it('finds words in name, description, brand and tag names, skus and barcodes', async () => {
    await shopOf();
    const brand = await saveProductBrand(ctx, { input: { name: 'Northwind Traders' } }, id);
    const tag = await saveProductTag(ctx, { input: { name: 'summer sale' } }, id);
    const variants = [{ sku: 'AB-123/x', barcodeList: ['8690001234567', '42'], prices: [{ sellPrice: 1 }] }];
    await save({
      ...plainProduct('Linen shirt'),
      description: '<p class="wide">Breathable&nbsp;fabric</p>',
      brandId: brand.id,
      tagIds: [tag.id],
      variants,
    });
    await save(plainProduct('Other'));
    for (const query of [
      'shirt',
      'breathable',
      'fabric',
      'northwind',
      'sale',
      'ab-123/x',
      'AB-123',
      '123',
      '8690001234567',
      '869000',
      '42',
    ]) {
      expect(await names(query), query).toEqual(['Linen shirt']);
    }
    for (const query of ['wide', 'class', 'irt', '0001234567', 'price']) expect(await names(query), query).toEqual([]);
  });

  it('requires every word, in any field', async () => {
    await shopOf('Red shirt', 'Blue shirt', 'Red hat');
    const tag = await saveProductTag(ctx, { input: { name: 'wool' } }, id);
    await save({ ...plainProduct('Green scarf', 'SC-1'), description: 'soft', tagIds: [tag.id] });
    expect(await names('shirt red')).toEqual(['Red shirt']);
    expect(await names('wool, soft; GREEN sc-1')).toEqual(['Green scarf']);
    expect(await names('red scarf')).toEqual([]);
  });

  it('finds prefixes of words', async () => {
    await shopOf('Headphones', 'Keyboard stand', 'Phone');
    expect(await names('head')).toEqual(['Headphones']);
    expect(await names('k st')).toEqual(['Keyboard stand']);
    expect(await names('phone')).toEqual(['Phone']);
  });

  it('finds prefixes of very many words', async () => {
    await shopOf(
      ...Array.from({ length: 5 }, (_, part) =>
        Array.from({ length: 20 }, (_, word) => `con${'abcde'[part]}${String.fromCodePoint(97 + word)}`).join(' '),
      ),
    );
    expect((await search({ query: 'con' })).totalCount).toBe(5);
    expect((await search({ query: 'cona' })).totalCount).toBe(1);
  });

  it.each([
    ['İstanbul Işık', ['istanbul', 'ISTANBUL', 'ıstanbul', 'İSTANBUL', 'isik', 'IŞIK', 'ışık']],
    ['Große Straße', ['grosse', 'GROSSE', 'große', 'STRASSE', 'strasse', 'straße']],
    ['Crème brûlée Çay', ['creme', 'CRÈME', 'brulee', 'cay', 'ÇAY', 'cre\u0300me']],
    ['Ελλάδα Москва', ['ελλαδα', 'ΕΛΛΆΔΑ', 'москва', 'МОСКВА', 'моск']],
    ['日本語 手紙', ['日本', '手紙']],
  ])('finds %s without regard to case and accents', async (name, queries) => {
    await shopOf(name, 'Other');
    for (const query of queries) expect(await names(query), query).toEqual([name]);
  });

  it('finds small misspellings of a word that no product has', async () => {
    await shopOf('Wireless headphones', 'Leather jacket', 'Red shirt', 'Shoe');
    const brand = await saveProductBrand(ctx, { input: { name: 'Samsung' } }, id);
    await save({ ...plainProduct('Galaxy S24'), brandId: brand.id });
    const misspelt = {
      headphnes: 'Wireless headphones',
      haedphones: 'Wireless headphones',
      'wirless hedphones': 'Wireless headphones',
      jakcet: 'Leather jacket',
      lather: 'Leather jacket',
      shrit: 'Red shirt',
      'red shert': 'Red shirt',
      sohe: 'Shoe',
      samsnug: 'Galaxy S24',
      'smasung galxy': 'Galaxy S24',
    };
    for (const [query, name] of Object.entries(misspelt)) expect(await names(query), query).toEqual([name]);
    for (const query of ['s25', 'zz', 'jckt', 'red jacket', 'unheard']) expect(await names(query), query).toEqual([]);
  });

  it.each([
    ['Καλοκαιρινό φόρεμα', 'καλοκερινό', 'φορμεα'],
    ['Зимняя куртка', 'зимнаяя', 'крутка'],
    ['Yağmurluk şemsiye', 'yagmrluk', 'şemiye'],
    ['여름 원피스드레스', '원피스드래스'],
  ])('finds %s misspelt, in any script', async (name, ...queries) => {
    await shopOf(name, 'Something else');
    for (const query of queries) expect(await names(query), query).toEqual([name]);
  });

  it('corrects to the nearest words that are in a product now', async () => {
    await shopOf('Jacket', 'Packet', 'Racket');
    expect(await found('jackett')).toEqual(['Jacket']);
    expect(await found('backet')).toEqual(['Jacket', 'Packet', 'Racket']);
    await execute(sql`delete from product where merchant_id = ${ctx.merchantId} and name = 'Jacket'`);
    expect(await found('jackett')).toEqual(['Packet', 'Racket']);
    expect(await found('jacket')).toEqual(['Packet', 'Racket']);
  });

  it('corrects a word in a query with 17 words of a brand, more than it corrects in one query', async () => {
    await shopOf();
    const name = Array.from('abcdefghijklmnopq', (letter) => `guild${letter}`).join(' ');
    const brand = await saveProductBrand(ctx, { input: { name } }, id);
    await save({ ...plainProduct('Jacket'), brandId: brand.id });
    expect(await found(`${name} jackett`)).toEqual(['Jacket']);
  });

  it('does not correct a word only because the page is past the end', async () => {
    await shopOf('Jacket', 'Packet');
    expect(await search({ query: 'jacket', pagination: { page: 2, limit: 5 } })).toMatchObject({
      count: 0,
      totalCount: 1,
      hasNext: false,
      results: [],
    });
    expect(await search({ query: 'jacket', skuList: ['none'] })).toMatchObject({ count: 0, totalCount: 0 });
  });

  it('ranks an exact sku or barcode first, then names, brands and tags, descriptions', async () => {
    await shopOf();
    const brand = await saveProductBrand(ctx, { input: { name: 'Lamp house' } }, id);
    await save({ ...plainProduct('By code'), variants: [{ sku: 'lamp', prices: [{ sellPrice: 1 }] }] });
    await save({ ...plainProduct('By description'), description: 'a lamp' });
    await save({ ...plainProduct('By brand'), brandId: brand.id });
    await save(plainProduct('Lampshade'));
    await save(plainProduct('Lamp'));
    await save({ ...plainProduct('By longer code', 'LAMP-2') });
    expect((await names('LAMP')).slice(0, 4)).toEqual(['By code', 'Lamp', 'Lampshade', 'By brand']);
    expect((await names('LAMP')).slice(4).toSorted()).toEqual(['By description', 'By longer code']);
    expect((await names('lamp-2'))[0]).toBe('By longer code');
    expect(await names(' LAMP-2 ')).toEqual(await names('lamp-2'));
  });

  it('lists the newest of equally relevant products first, and all of them without a query', async () => {
    await shopOf('one pen', 'two pen', 'three pen');
    expect(await names('pen')).toEqual(['three pen', 'two pen', 'one pen']);
    await execute(
      sql`update product set created_at = '2030-01-01' where merchant_id = ${ctx.merchantId} and name = 'one pen'`,
    );
    expect(await names({})).toEqual(['one pen', 'three pen', 'two pen']);
    expect(await names({ query: ' ' })).toEqual(['one pen', 'three pen', 'two pen']);
    expect(await names({ query: null, skuList: null })).toHaveLength(3);
  });

  it('combines all members of the input', async () => {
    await shopOf();
    const pen = await save({
      ...plainProduct('Red pen'),
      variants: [
        { sku: 'P1', barcodeList: ['1'], prices: [{ sellPrice: 1 }] },
        { sku: 'P2', prices: [{ sellPrice: 1 }] },
      ],
    });
    const ink = await save({
      ...plainProduct('Red ink'),
      variants: [{ sku: 'I1', barcodeList: ['1', '2'], prices: [{ sellPrice: 1 }] }],
    });
    expect(await found({ productIdList: [pen.id, newId(), 'nonsense', 'x'.repeat(300), 'nul\0'] })).toEqual([
      'Red pen',
    ]);
    expect(await found({ skuList: ['P2', 'I1'] })).toEqual(['Red ink', 'Red pen']);
    expect(await found({ barcodeList: ['1'] })).toEqual(['Red ink', 'Red pen']);
    expect(await found({ skuList: ['P2', 'I1'], barcodeList: ['2'] })).toEqual(['Red ink']);
    expect(await found({ query: 'red', skuList: ['P2'], barcodeList: ['1'], productIdList: [pen.id, ink.id] })).toEqual(
      ['Red pen'],
    );
    expect(await found({ query: 'ink', skuList: ['P2'] })).toEqual([]);
    for (const member of ['productIdList', 'skuList', 'barcodeList'])
      expect(await found({ [member]: [] }), member).toEqual([]);
    expect(await found({ skuList: ['p2', 'P"2', '{}', '\\'] })).toEqual([]);
  });

  it('pages with exact counts', async () => {
    await shopOf(...Array.from({ length: 7 }, (_, number) => `Cup ${number}`));
    for (const input of [{ query: 'cup' }, {}]) {
      const pages = await Promise.all([1, 2, 3, 4].map((page) => search({ ...input, pagination: { page, limit: 3 } })));
      expect(pages).toMatchObject(
        [3, 3, 1, 0].map((count, index) => ({ count, totalCount: 7, limit: 3, page: index + 1, hasNext: index < 2 })),
      );
      expect(new Set(pages.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(7);
    }
    expect(await search({ query: 'cup' })).toMatchObject({ limit: 50, page: 1, hasNext: false });
  });

  it('answers every field of a product', async () => {
    await shopOf();
    const product = await save(await fullProductInput(ctx));
    const { results } = await searchProducts(ctx, { input: { query: 'full' } }, { results: allOfProduct });
    expect(results).toEqual([product]);
  });

  it('counts all matches by facet', async () => {
    await shopOf();
    const full = await fullProductInput(ctx);
    await save({ ...full, name: 'Cup one' });
    await save({ ...full, name: 'Cup two', metaData: undefined, type: 'PHYSICAL', tagIds: [full.tagIds[0]] });
    await save(plainProduct('Cup three'));
    await save(plainProduct('Not counted'));
    const { facets, count, totalCount } = await search({ query: 'cup', pagination: { limit: 1 } });
    expect({ count, totalCount }).toEqual({ count: 1, totalCount: 3 });
    expect(facets.map(({ field, values }) => [field, values.map(({ id, count }) => [id, count])])).toEqual([
      ['BRAND', [[full.brandId, 2]]],
      ['CATEGORY', [[full.categoryIds[0], 2]]],
      [
        'TAG',
        [
          [full.tagIds[0], 2],
          [full.tagIds[1], 1],
        ],
      ],
      [
        'TYPE',
        [
          ['PHYSICAL', 2],
          ['BUNDLE', 1],
        ],
      ],
      ['VARIANT_VALUE', [[full.productVariantTypes[0]!.variantValueIds[0], 2]]],
    ]);
    expect(facets[1]!.values[0]!.name).toBe('Shirts');
    expect(facets[4]!.values[0]!.name).toBe('S');
    expect((await search({})).facets[3]!.values).toEqual([
      { id: 'PHYSICAL', name: 'PHYSICAL', count: 4 },
      { id: 'BUNDLE', name: 'BUNDLE', count: 1 },
    ]);
  });

  it('computes counts and facets only if they are selected', async () => {
    await shopOf('Cup');
    expect(await searchProducts(ctx, { input: { query: 'cup' } }, { results: { name: {} } })).toMatchObject({
      results: [{ name: 'Cup' }],
      totalCount: 0,
      facets: [],
    });
  });

  it('takes two statements, and four for a misspelt word, for any number of results', async () => {
    await shopOf(...Array.from({ length: 12 }, (_, number) => `Bottle ${number}`));
    const statements = async (input: object) => {
      const before = database.statements.length;
      await search(input);
      return database.statements.length - before;
    };
    expect(await statements({})).toBe(1);
    await search({ query: 'anything' });
    expect(await statements({ query: 'bottle' })).toBe(2);
    expect(await statements({ query: 'botle' })).toBe(4);
    expect(await statements({ query: 'unheard of' })).toBe(3);
  });
});

describe('the search documents', () => {
  it('follow the operations', async () => {
    await shopOf();
    const brand = await saveProductBrand(ctx, { input: { name: 'Acme' } }, id);
    const tag = await saveProductTag(ctx, { input: { name: 'fresh' } }, id);
    const product = await save({ ...plainProduct('Kettle', 'K-9'), brandId: brand.id, tagIds: [tag.id] });
    await saveProductBrand(ctx, { input: { id: brand.id, name: 'Zenith' } }, id);
    await saveProductTag(ctx, { input: { id: tag.id, name: 'aged' } }, id);
    expect([await names('acme'), await names('fresh'), await names('zenith aged')]).toEqual([[], [], ['Kettle']]);
    await save({
      id: product.id,
      name: 'Teapot',
      type: 'PHYSICAL',
      tagIds: [],
      variants: [{ id: product.variants[0]!.id, sku: 'T-8', prices: [] }],
    });
    expect([await names('kettle'), await names('aged'), await names('k-9'), await names('zenith teapot t-8')]).toEqual([
      [],
      [],
      [],
      ['Teapot'],
    ]);
    await deleteProductBrandList(ctx, { idList: [brand.id] });
    expect(await names('zenith')).toEqual([]);
    await deleteProductList(ctx, { idList: [product.id] });
    expect([await names('teapot'), await names({}), await names({ skuList: ['T-8'] })]).toEqual([[], [], []]);
    await save({
      id: product.id,
      name: 'Teapot',
      type: 'PHYSICAL',
      deleted: false,
      variants: [{ id: product.variants[0]!.id, prices: [] }],
    });
    expect(await names('teapot t-8')).toEqual(['Teapot']);
  });

  it('follow plain SQL', async () => {
    await shopOf();
    const [merchant, other] = [ctx.merchantId, await createContext(database.db)];
    const [product, variant, brand, tag] = [newId(), newId(), newId(), newId()];
    await execute(sql`insert into product_brand (merchant_id, id, name) values (${merchant}, ${brand}, 'Acme')`);
    await execute(sql`insert into product_tag (merchant_id, id, name) values (${merchant}, ${tag}, 'fresh')`);
    await execute(sql`
      insert into product (merchant_id, id, name, type, brand_id) values
        (${merchant}, ${product}, 'Kettle', 'PHYSICAL', ${brand}), (${other.merchantId}, uuid_v7(), 'Kettle of another', 'PHYSICAL', null)`);
    expect([await names('kettle'), await names('ketle acme')]).toEqual([['Kettle'], ['Kettle']]);
    await execute(
      sql`insert into variant (merchant_id, id, product_id, position, sku) values (${merchant}, ${variant}, ${product}, 0, 'K-9')`,
    );
    await execute(sql`update product set tag_ids = array[${tag}::uuid] where merchant_id = ${merchant}`);
    expect(await names('kettle k-9 fresh')).toEqual(['Kettle']);
    await execute(sql`update variant set barcode_list = '{555}', sku = null where merchant_id = ${merchant}`);
    await execute(sql`update product_brand set name = 'Zenith' where merchant_id = ${merchant}`);
    await execute(sql`update product set description = 'boils' where merchant_id = ${merchant}`);
    expect([await names('k-9'), await names('acme'), await names('555 zenith boils')]).toEqual([[], [], ['Kettle']]);
    await execute(sql`update product set tag_ids = '{}' where merchant_id = ${merchant}`);
    await execute(sql`update variant set deleted = true where merchant_id = ${merchant}`);
    expect([await names('fresh'), await names('555')]).toEqual([[], []]);
    await execute(sql`update variant set deleted = false where merchant_id = ${merchant}`);
    await execute(sql`delete from variant where merchant_id = ${merchant}`);
    expect([await names('555'), await names('kettle')]).toEqual([[], ['Kettle']]);
    await execute(sql`delete from product where merchant_id = ${merchant}`);
    expect(await names('kettle')).toEqual([]);
    expect((await search({ query: 'kettle' }, other)).results).toMatchObject([{ name: 'Kettle of another' }]);
  });

  it('are not written when no searched member changes', async () => {
    await shopOf('Pan', 'Pot');
    const versions = async () =>
      await database.db.execute(
        sql`select xmin::text, ctid::text from product_search where merchant_id = ${ctx.merchantId} order by 2`,
      );
    await search({ query: 'pan' });
    const before = await versions();
    expect(before).toHaveLength(2);
    await execute(sql`update product set weight = 3, updated_at = now() where merchant_id = ${ctx.merchantId}`);
    await execute(sql`update variant set weight = 3 where merchant_id = ${ctx.merchantId}`);
    const { results } = await search({ query: 'pan' });
    await save({ id: results[0]!.id, name: 'Pan', type: 'DIGITAL', variants: [] });
    expect(await versions()).toEqual(before);
  });

  it('are correct after changes of many products, and after concurrent changes of one product', async () => {
    await shopOf('Old');
    const [product] = (await search({})).results;
    await execute(sql`
      insert into product (merchant_id, name, type) select ${ctx.merchantId}, 'Bulk ' || n, 'PHYSICAL' from generate_series(1, 2500) as n`);
    await execute(
      sql`update product set name = 'New' || substring(name from 5) where merchant_id = ${ctx.merchantId} and name like 'Bulk %'`,
    );
    // A search writes one batch of documents; the worker writes the others.
    expect((await search({ query: 'new' })).totalCount).toBeLessThan(2500);
    await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
    expect((await search({ query: 'new' })).totalCount).toBe(2500);
    expect((await search({ query: 'bulk' })).totalCount).toBe(0);
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) =>
        execute(sql`
        insert into variant (merchant_id, product_id, position, sku) values (${ctx.merchantId}, ${product!.id}, ${sql.raw(String(n + 10))}, ${`code${n}`})`),
      ),
      execute(sql`update product set name = 'Renamed' where merchant_id = ${ctx.merchantId} and id = ${product!.id}`),
    ]);
    expect(await names('renamed code0 code1 code2 code3 code4')).toEqual(['Renamed']);
  });

  it('accept texts of any length', async () => {
    await shopOf();
    const words = Array.from({ length: 200_000 }, (_, n) => `wört${n + 1}`);
    const longText = `${words.join(' ')} ${'界'.repeat(3_000)}`;
    await execute(sql`
      insert into product (merchant_id, name, type, description)
      values (${ctx.merchantId}, 'Long', 'PHYSICAL', ${longText})`);
    const [product] = (await search({ query: 'long' })).results;
    await execute(sql`
      insert into variant (merchant_id, product_id, position, sku, barcode_list)
      select ${ctx.merchantId}, ${product!.id}, n, repeat('é', 3000) || n, array(select n || '-' || m from generate_series(1, 100) as m) from generate_series(1, 300) as n`);
    expect(await names('wort1 long')).toEqual(['Long']);
  });
});

describe('a search', () => {
  it('uses no product and no word of another merchant', async () => {
    await shopOf('Umbrella');
    const owner = ctx;
    const brand = await saveProductBrand(owner, { input: { name: 'Rainware' } }, id);
    const product = await save({ ...plainProduct('Raincoat', 'R-1'), brandId: brand.id });
    const stranger = await createContext(database.db);
    for (const input of [
      {},
      { query: 'umbrella' },
      { query: 'umbrela' },
      { query: 'rainware' },
      { query: 'r-1' },
      { productIdList: [product.id] },
      { skuList: ['R-1'] },
    ]) {
      expect(await search(input, stranger)).toMatchObject({ count: 0, totalCount: 0, results: [] });
    }
    expect(await search({ query: 'rainwear' }, owner)).toMatchObject({ totalCount: 1 });
  });

  it.each([
    ['limit 0', { pagination: { limit: 0 } }, ['input', 'pagination', 'limit']],
    ['limit 201', { pagination: { limit: 201 } }, ['input', 'pagination', 'limit']],
    ['page 0', { pagination: { page: 0 } }, ['input', 'pagination', 'page']],
    ['a cursor', { pagination: { after: 'x' } }, ['input', 'pagination', 'after']],
    ['501 characters', { query: 'a'.repeat(501) }, ['input', 'query']],
    ['NUL', { query: 'nul\0' }, ['input', 'query']],
    ['a lone surrogate', { query: '\ud800' }, ['input', 'query']],
    ['a sku that is too long', { skuList: ['ok', 'x'.repeat(256)] }, ['input', 'skuList', 1]],
    ['a barcode that is too long', { barcodeList: ['x'.repeat(256)] }, ['input', 'barcodeList', 0]],
    ['NUL in a sku', { skuList: ['ok', 'nul\0'] }, ['input', 'skuList', 1]],
    ['1,001 barcodes', { barcodeList: Array.from({ length: 1_001 }, () => 'x') }, ['input', 'barcodeList']],
  ])('refuses %s naming the member', async (_, input, path) => {
    await expect(search(input)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path }] },
    });
  });

  it('accepts any text as a query', async () => {
    await shopOf('Plain');
    const texts = [
      "'",
      '\\',
      '"',
      '&|!()<->:*',
      "':*",
      "a' | 'b",
      '%_',
      '-1',
      '1e5 0x1f 1.5',
      'http://a.b/c?d=e',
      '<b>x</b>',
      '\u{1f600}',
      '\u0000a'.slice(1) + '\u0007',
      '界'.repeat(500),
      'a '.repeat(250),
      Array.from({ length: 125 }, (_, n) => n).join(' '),
      '\u0301\u0301',
      '#id',
      '=x',
      '+x',
      '$1',
      'x'.repeat(500),
    ];
    for (const query of texts) expect(await search({ query }), query).toMatchObject({ results: [] });
    await save(plainProduct('100% "Cotton" \\ \'n\' more', "+4'9 \\x"));
    for (const query of ['100%', '"cotton"', "n'", '\\', "+4'9 \\x"])
      expect((await search({ query })).count, query).toBe(query === '\\' ? 0 : 1);
  });
});
