import { afterAll, beforeAll, expect, it } from 'vitest';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type FixtureProduct, saveFixtureCatalogue } from './fixture-catalogue.ts';

/** Words with the beginning `co`. */
const MANY_WORDS = 'comfortable cotton cover, cool colour, compact, complete, cosy, cord, coating, corner, collection';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Each product comes before the next one, whichever is newer. */
it.each<[query: string, what: string, ...products: FixtureProduct[]]>([
  ['co', 'a name before many words of a description', { name: 'Cotton' }, { name: 'b', description: MANY_WORDS }],
  [
    'co',
    'a name before a tag and many words of a description',
    { name: 'Cotton' },
    { name: 'b', tag: 'Cotton', description: MANY_WORDS },
  ],
  [
    'co',
    'a tag before many words of a description',
    { name: 'a', tag: 'Cotton' },
    { name: 'b', description: MANY_WORDS },
  ],
  [
    'walnut',
    'a value of a variant before a description with the word',
    { name: 'a', colour: 'Walnut' },
    { name: 'b', description: 'Walnut oil for walnut' },
  ],
  [
    'walnut',
    'an attribute option before a description with the word',
    { name: 'a', material: 'Walnut' },
    { name: 'b', description: 'Walnut oil for walnut' },
  ],
  [
    'walnut',
    'a brand before an option and a value',
    { name: 'a', brand: 'Walnut' },
    { name: 'b', material: 'Walnut wood', colour: 'Walnut brown' },
  ],
  [
    'shoe',
    'a name before a brand, a category and a tag',
    { name: 'Shoelace' },
    { name: 'b', brand: 'Shoes', category: 'Shoes', tag: 'Shoes' },
  ],
  [
    'lamp red',
    'a whole word of a description before a beginning, beside equal names',
    { name: 'Lamp a', description: 'red' },
    { name: 'Lamp b', description: 'reddish' },
  ],
  [
    '外山木',
    'a brand with a text without spaces before a name with a part of it',
    { name: 'a', brand: '外山木' },
    { name: '外山', description: '外山木' },
  ],
])('"%s" finds %s', async (query, _, ...products) => {
  for (const saved of [products, products.toReversed()]) {
    const ctx = await createContext(database.db);
    await saveFixtureCatalogue(ctx, saved);
    const { results } = await searchProducts(ctx, { input: { query } }, { results: { name: {} } });
    expect(results.map(({ name }) => name)).toEqual(products.map(({ name }) => name));
  }
});
