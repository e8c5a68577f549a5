import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { plainProduct, productSaver } from '../products.ts';

const VARIANTS = 1_000;
/** One more than the words that a search looks up for the beginning of a word. */
const MANY_WORDS = 257;
const LONG = 'Weatherproof jacket with taped seams. '.repeat(440);

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

async function save(members: object): Promise<void> {
  await productSaver(ctx)({ ...plainProduct('Jacket'), ...members });
}

async function finds(query: string): Promise<boolean> {
  const { totalCount } = await searchProducts(ctx, { input: { query } }, { totalCount: {} });
  return totalCount === 1;
}

describe('beside a long description', () => {
  it.each([
    ['a translation in a script without spaces', { translations: [{ locale: 'ja', description: '防水加工の上着' }] }],
    [
      'a translation after a long one',
      {
        translations: [
          { locale: 'de', description: 'Wetterfeste Jacke. '.repeat(3_400) },
          { locale: 'ja', description: '防水加工の上着' },
        ],
      },
    ],
    ['an attribute text', { attributes: [{ value: '防水加工' }] }],
  ])('%s is found', async (_, members) => {
    await save({ description: LONG, ...members });
    expect(await finds('防水加工')).toBe(true);
  });

  it('an attribute text is found if another text is in a script without spaces', async () => {
    const translations = [{ locale: 'ja', description: '防水' }];
    await save({ description: LONG, translations, attributes: [{ value: 'Waschbar' }] });
    expect(await finds('waschbar')).toBe(true);
  });

  it('an attribute text is found if translations are long', async () => {
    const translations = ['de', 'fr'].map((locale) => ({ locale, description: `${locale} ${LONG.repeat(3)}` }));
    await save({ description: LONG, translations, attributes: [{ value: 'Waschbar' }] });
    expect(await finds('waschbar')).toBe(true);
  });
});

describe('a description', () => {
  it('is found up to its end, with a few characters of a script without spaces', async () => {
    await save({ description: `${LONG.repeat(2)} 防水 ends here` });
    expect(await finds('jacket ends here')).toBe(true);
  });

  it('is found if a text beside it has an angle bracket that is not closed', async () => {
    await save({ description: '<p>Breathable</p>', attributes: [{ value: 'weight <b' }] });
    expect(await finds('breathable')).toBe(true);
  });
});

describe('the codes of 1,000 variants', () => {
  const skuOf = (n: number, length: number): string => `sku-${n}-`.padEnd(length, 'x');
  const variants = (length: number) =>
    Array.from({ length: VARIANTS }, (_, n) => ({ sku: skuOf(n, length), prices: [{ sellPrice: 1 }] }));

  it.each([
    ['are all found', ''],
    ['are all found if one has a character of a script without spaces', '防水'],
  ])('%s', async (_, barcode) => {
    const [first, ...others] = variants(80);
    await save({ variants: [{ ...first, barcodeList: [barcode] }, ...others] });
    for (const n of [0, 250, 500, 750, 999]) expect(await finds(skuOf(n, 80)), String(n)).toBe(true);
  });

  it('are found of the first variants if all together are too long', async () => {
    await save({ variants: variants(255) });
    // Plain SQL writes the rows of the first variants again, behind the others.
    await database.db.execute(sql`
      update variant set updated_at = now() where merchant_id = ${ctx.merchantId} and position < 100`);
    await database.db.execute(sql`update product set name = 'Coat' where merchant_id = ${ctx.merchantId}`);
    for (const n of [0, 150, 300]) expect(await finds(skuOf(n, 255)), String(n)).toBe(true);
    expect(await finds(skuOf(999, 255))).toBe(false);
  });
});

it('a beginning of many words is found in each of them, also if one is stored twice', async () => {
  const words = Array.from({ length: MANY_WORDS }, (_, n) => `lamp${String.fromCharCode(97 + n / 26, 97 + (n % 26))}`);
  await ctx.db.execute(sql`
    insert into product_search_word (merchant_id, word)
    select ${ctx.merchantId}, word from json_array_elements_text(${JSON.stringify([words[0], ...words])}::json) as word`);
  await save({ description: words.at(-1) });
  expect(await finds('lamp')).toBe(true);
});

it.each(['־', '׀', '׃', '׆'])('the Hebrew punctuation mark %s separates words', async (mark) => {
  await save({ name: `תיק${mark}גב` });
  for (const query of ['גב', 'תיק גב', `תיק${mark}גב`]) expect(await finds(query), query).toBe(true);
});
