import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { saveProductAttribute } from '../../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../../src/brand/saveProductBrand.ts';
import { deleteCategoryList } from '../../../src/category/deleteCategoryList.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { connect } from '../../../src/db/connection/connect.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { saveVariantType } from '../../../src/variant-type/saveVariantType.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { plainProduct } from '../products.ts';

const id = { id: {} };
const MANY_PRODUCTS = 2_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const save = async (input: object) => await saveProduct(ctx, { input: input as never }, id);
const execute = async (statement: SQL) => await database.db.execute(statement);
const search = async (query: string) =>
  await searchProducts(ctx, { input: { query } }, { totalCount: {}, results: { name: {} } });
const names = async (query: string) => (await search(query)).results.map(({ name }) => name);

it('follow the names of categories, attribute options and variant values', async () => {
  const category = await saveCategory(ctx, { input: { name: 'Kitchen' } }, id);
  const options = { id: {}, options: { id: {} } };
  const attribute = await saveProductAttribute(
    ctx,
    { input: { name: 'Material', type: 'CHOICE', options: [{ name: 'Copper' }] } },
    options,
  );
  const optionId = attribute.options![0]!.id;
  const values = { id: {}, values: { id: {} } };
  const colour = await saveVariantType(
    ctx,
    { input: { name: 'Colour', selectionType: 'choice', values: [{ name: 'Crimson' }] } },
    values,
  );
  const valueId = colour.values[0]!.id;
  await save({
    ...plainProduct('Kettle'),
    categoryIds: [category.id],
    productVariantTypes: [{ order: 0, variantTypeId: colour.id, variantValueIds: [valueId] }],
    variants: [
      {
        prices: [{ sellPrice: 1 }],
        attributes: [{ productAttributeId: attribute.id, productAttributeOptionId: optionId }],
        variantValueIds: [{ variantTypeId: colour.id, variantValueId: valueId }],
      },
    ],
  });
  expect(await names('kitchen copper crimson kettle')).toEqual(['Kettle']);
  await saveCategory(
    ctx,
    { input: { id: category.id, name: 'Küche', translations: [{ locale: 'fr', name: 'Cuisine' }] } },
    id,
  );
  await saveProductAttribute(
    ctx,
    { input: { id: attribute.id, name: 'Material', type: 'CHOICE', options: [{ id: optionId, name: 'Brass' }] } },
    options,
  );
  await saveVariantType(
    ctx,
    { input: { id: colour.id, name: 'Colour', selectionType: 'choice', values: [{ id: valueId, name: 'Scarlet' }] } },
    values,
  );
  expect(await names('kuche cuisine brass scarlet')).toEqual(['Kettle']);
  for (const former of ['kitchen', 'copper', 'crimson']) expect(await names(former), former).toEqual([]);
  await deleteCategoryList(ctx, { idList: [category.id] });
  expect(await names('cuisine')).toEqual([]);
});

it('have the names of options whose ids are in the texts of attribute values', async () => {
  const members = { name: 'Weave', type: 'MULTIPLE_CHOICE' as const };
  const input = { ...members, options: [{ name: 'Twill' }, { name: 'Satin' }] };
  const { id: productAttributeId, options } = await saveProductAttribute(
    ctx,
    { input },
    { id: {}, options: { id: {}, name: {} } },
  );
  const [twill, satin] = options!;
  await save({ ...plainProduct('Shirt'), attributes: [{ productAttributeId, value: `${twill!.id}, ${satin!.id}` }] });
  expect(await names('twill satin')).toEqual(['Shirt']);
  const renamed = [{ ...twill!, name: 'Serge' }, satin!];
  await saveProductAttribute(ctx, { input: { id: productAttributeId, ...members, options: renamed } }, id);
  expect([await names('serge'), await names('twill')]).toEqual([['Shirt'], []]);
});

it('follow the members of products and variants', async () => {
  const attribute = await saveProductAttribute(ctx, { input: { name: 'Care', type: 'TEXT' } }, id);
  const category = await saveCategory(ctx, { input: { name: 'Garments' } }, id);
  const product = await save(plainProduct('Shirt'));
  const change = async (members: object) => await save({ id: product.id, ...plainProduct('Shirt'), ...members });
  await change({ translations: [{ locale: 'de', name: 'Hemd', description: 'aus <b>Leinen</b>' }] });
  expect(await names('hemd leinen')).toEqual(['Shirt']);
  await change({ translations: null });
  expect(await names('hemd')).toEqual([]);
  await change({ attributes: [{ productAttributeId: attribute.id, value: 'Wash cold' }], categoryIds: [category.id] });
  expect(await names('garments wash')).toEqual(['Shirt']);
  await change({ attributes: [], categoryIds: [] });
  expect([await names('wash'), await names('garments')]).toEqual([[], []]);
  await execute(sql`
    update variant set attributes = ${JSON.stringify([{ productAttributeId: attribute.id, value: 'Tumble dry' }])}::json
    where merchant_id = ${ctx.merchantId}`);
  expect(await names('tumble')).toEqual(['Shirt']);
  await execute(sql`update variant set deleted = true where merchant_id = ${ctx.merchantId}`);
  expect(await names('tumble')).toEqual([]);
});

it('do not contain dates, ids, tables and booleans of attributes', async () => {
  const attribute = await saveProductAttribute(ctx, { input: { name: 'Any', type: 'TEXT' } }, id);
  const values = ['2031-05-17', 'true', attribute.id, '[["cell"]]', '{"row": 1}', '85 cm wide', 'truely'];
  await save({
    ...plainProduct('Table'),
    attributes: values.map((value) => ({ productAttributeId: attribute.id, value })),
  });
  expect(await names('85 wide truely')).toEqual(['Table']);
  for (const query of ['2031', attribute.id, 'cell', 'row', '17']) expect(await names(query), query).toEqual([]);
});

it('have the new name of a record at once, also if many products refer to it, and delay no other product', async () => {
  const brand = await saveProductBrand(ctx, { input: { name: 'Acme' } }, id);
  await execute(sql`
    insert into product (merchant_id, name, type, brand_id)
    select ${ctx.merchantId}, 'Bulk ' || n, 'PHYSICAL', ${brand.id} from generate_series(1, ${MANY_PRODUCTS}::int) as n`);
  await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
  await saveProductBrand(ctx, { input: { id: brand.id, name: 'Zenith' } }, id);
  const pending = await execute(sql`select from product_search_pending where merchant_id = ${ctx.merchantId}`);
  expect(pending).toHaveLength(0);
  expect([(await search('zenith')).totalCount, (await search('acme')).totalCount]).toEqual([MANY_PRODUCTS, 0]);
});

it('are waited for by a search while another process writes them', async () => {
  await save(plainProduct('Copper pan'));
  const searched = await database.db.transaction(async (transaction) => {
    await transaction.execute(sql`select product_search_write_pending(${ctx.merchantId}::uuid, 500)`);
    const search = names('copper');
    await waitForLocks(database.owner, 1);
    return { search };
  });
  expect(await searched.search).toEqual(['Copper pan']);
});

it('are searched in their present state while the database cannot write', async () => {
  await save(plainProduct('Copper pan'));
  expect(await names('copper')).toEqual(['Copper pan']);
  await save(plainProduct('Copper kettle'));
  const readOnly = connect(`${database.url}?default_transaction_read_only=on`, {
    poolSize: 1,
    statementTimeoutMs: 20_000,
  });
  const found = await searchProducts(
    { ...ctx, db: readOnly.db },
    { input: { query: 'copper' } },
    { results: { name: {} } },
  );
  await readOnly.close();
  expect(found.results.map(({ name }) => name)).toEqual(['Copper pan']);
  expect(await names('copper')).toHaveLength(2);
});

it('keep the words of records that are saved unchanged', async () => {
  const values = { id: {}, values: { id: {}, name: {} } };
  const input = { name: 'Size', selectionType: 'choice' as const, values: [{ name: 'Small' }, { name: 'Large' }] };
  const size = await saveVariantType(ctx, { input }, values);
  const words = async () =>
    await execute(sql`select id, word from product_search_word where merchant_id = ${ctx.merchantId} order by word`);
  const before = await words();
  expect(before.map(({ word }) => word)).toEqual(['large', 'small']);
  await saveVariantType(ctx, { input: { ...input, id: size.id, values: size.values } }, values);
  expect(await words()).toEqual(before);
});

it.each([
  ['words', "select string_agg('w' || n, ' ') from generate_series(1, 160000) as n"],
  ['Chinese', 'select string_agg(chr(19968 + n % 20000), null) from generate_series(1, 350000) as n'],
  ['rare Chinese', 'select string_agg(chr(131072 + n % 40000), null) from generate_series(1, 260000) as n'],
  ['Thai', "select repeat('เสื้อยืดผ้าฝ้าย', 25000)"],
  ['ligatures that fold to many letters', "select repeat('ﷺ ', 250000)"],
  ['punctuation', "select repeat('<|%*:&!', 150000)"],
  ['lines', "select repeat('a' || chr(10), 500000)"],
  [
    'rare letters',
    "select string_agg(chr(66560 + n % 80) || chr(66640 + n / 80) || ' ', null) from generate_series(0, 6399) as n",
  ],
])('can have 1 MB of %s in every text of a product', async (_, text) => {
  const product = await save(plainProduct('Hostile'));
  const [row] = await database.db.execute<{ hostile: string }>(sql`select (${sql.raw(text)}) as hostile`);
  const { hostile } = row!;
  const translations = [{ locale: 'de', name: Array.from(hostile).slice(0, 100_000).join(''), description: hostile }];
  const attributes = [{ productAttributeId: null, productAttributeOptionId: null, value: hostile }];
  await execute(sql`
    update product set description = ${hostile}, translations = ${JSON.stringify(translations)}::json,
      attributes = ${JSON.stringify(attributes)}::json
    where merchant_id = ${ctx.merchantId} and id = ${product.id}`);
  await execute(sql`
    update variant set sku = left(${hostile}, 500),
      barcode_list = array(select left(${hostile}, 50) || n from generate_series(1, 4000) as n)
    where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`);
  await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
  expect(await names('hostile')).toEqual(['Hostile']);
});

it.each([
  ['of rare characters', 'chr(200000 + n) || chr(200001 + n)'],
  ['of digits', 'n::text'],
])('can have other rare characters in each text, codes %s, and as many ids as they keep', async (_, code) => {
  const product = await save(plainProduct('Hostile'));
  const rare = (from: number, between: string): string => {
    const characters = Array.from({ length: 40_000 }, (_, n) => String.fromCodePoint(from + n) + between);
    return characters.join('');
  };
  const name = (n: number): string => rare(0x2_0000 + n * 200, '').slice(0, 400);
  const translations = [
    { locale: 'x0', name: null, description: rare(0x2_0000, '') },
    ...Array.from({ length: 64 }, (_, n) => ({ locale: `x${n + 1}`, name: name(n), description: null })),
  ];
  const options = Array.from({ length: 1_000 }, () => ({ variantTypeId: newId(), variantValueId: newId() }));
  await execute(sql`
    update product set description = ${rare(0x1_0000, ' ')}, translations = ${JSON.stringify(translations)}::json,
      tag_ids = ${`{${Array.from({ length: 1_000 }, () => newId()).join()}}`}::uuid[]
    where merchant_id = ${ctx.merchantId} and id = ${product.id}`);
  await execute(sql`
    update variant set variant_value_ids = ${JSON.stringify(options)}::json,
      barcode_list = array(select ${sql.raw(code)} from generate_series(1, 40000) as n)
    where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`);
  await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
  expect(await names('hostile')).toEqual(['Hostile']);
  const [document] = await execute(sql`
    select pg_column_size(document || '') > 500000 as "isLarge" from product_search where merchant_id = ${ctx.merchantId}`);
  expect(document).toEqual({ isLarge: true });
});

it('are written for lists that plain SQL damaged', async () => {
  const product = await save(plainProduct('Damaged'));
  await execute(sql`
    update product set translations = '{"name": 1}', attributes = '[1, null, [], {"value": {}}]'
    where merchant_id = ${ctx.merchantId} and id = ${product.id}`);
  await execute(sql`
    update variant set variant_value_ids = '[null, "x", {"variantValueId": 7}]' where merchant_id = ${ctx.merchantId}`);
  expect(await names('damaged')).toEqual(['Damaged']);
});

it.each(['cut \\ud83d', 'zero \\u0000'])('leave out translations that PostgreSQL cannot read: %s', async (name) => {
  const product = await save(plainProduct('Unreadable'));
  await execute(sql`
    update product set translations = ${`[{"locale":"de","name":"${name}"}]`}::json
    where merchant_id = ${ctx.merchantId} and id = ${product.id}`);
  expect(await names('unreadable')).toEqual(['Unreadable']);
});

it.each(['x\\', "x'"])('leave out the id of an option that plain SQL stored: %s', async (variantValueId) => {
  await save(plainProduct('Quoted'));
  const options = JSON.stringify([{ variantValueId }]);
  await execute(sql`update variant set variant_value_ids = ${options}::json where merchant_id = ${ctx.merchantId}`);
  expect(await names('quoted')).toEqual(['Quoted']);
});

it('follow variants that plain SQL inserts and deletes', async () => {
  const product = await save(plainProduct('Teapot'));
  await search('teapot');
  await execute(sql`
    insert into variant (merchant_id, product_id, position, sku) values (${ctx.merchantId}, ${product.id}, 1, 'BY-SQL-77')`);
  expect(await names('by-sql-77')).toEqual(['Teapot']);
  await execute(sql`delete from variant where merchant_id = ${ctx.merchantId} and sku = 'BY-SQL-77'`);
  expect(await names('by-sql-77')).toEqual([]);
});
