import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { productAttribute } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { productTypeEnum } from '../../../drizzle/generated/enums.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import type { TestDatabase } from '../../support/database.ts';

const PRODUCTS = 150;
const CATEGORIES = 12;
const DAY_MS = 86_400_000;
export const FIRST_DAY = Date.UTC(2026, 0, 1);
const NAMES = ['Blue shirt', 'Red shirt', 'Blue mug', 'red mug', 'Book', 'book'];

/** A shop of products with random members, written by plain SQL. Category n is below category n/2, rounded down. */
export type RandomShop = Awaited<ReturnType<typeof createRandomShop>>;

export async function createRandomShop(database: TestDatabase, seed: number) {
  const ctx = await createContext(database.db);
  const named = namedRecords(ctx);
  await writeNamed(database, named);
  const some = (ids: string[]) => fc.subarray(ids, { maxLength: 2 });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });
  const price = maybe(fc.integer({ min: 1, max: 30 }));
  const variants = fc.array(
    fc.record({
      deleted: fc.boolean(),
      prices: fc.tuple(fc.integer({ min: 1, max: 30 }), price, ...named.priceLists.map(() => price)),
      attribute: maybe(fc.constantFrom(...named.attributes)),
      value: maybe(fc.constantFrom(...named.values)),
      stocks: fc.tuple(...named.locations.map(() => maybe(fc.integer({ min: -1, max: 2 })))),
    }),
    { maxLength: 3 },
  );
  const products = fc.record({
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...productTypeEnum),
    day: fc.integer({ min: 0, max: 20 }),
    deleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    brand: maybe(fc.constantFrom(...named.brands)),
    tags: some(named.tags),
    categories: some(named.categories),
    meets: some(named.categories),
    channels: some(named.channels),
    attribute: maybe(fc.constantFrom(...named.attributes)),
    variants,
  });
  const drawn = fc.sample(products, { seed, numRuns: PRODUCTS }).map((members) => ({ ...members, id: newId() }));
  await writeRows(ctx, named, drawn);
  return { ctx, ...named };
}

type Drawn = {
  id: string;
  name: string;
  type: (typeof productTypeEnum)[number];
  day: number;
  deleted: boolean;
  brand: string | null;
  tags: string[];
  categories: string[];
  meets: string[];
  channels: string[];
  attribute: string | null;
  variants: {
    deleted: boolean;
    prices: (number | null)[];
    attribute: string | null;
    value: string | null;
    stocks: (number | null)[];
  }[];
};

function namedRecords({ merchantId, db }: Context) {
  const ids = (count: number) => Array.from({ length: count }, newId);
  return {
    merchantId,
    db,
    brands: ids(4),
    tags: ids(5),
    categories: ids(CATEGORIES),
    channels: ids(3),
    attributes: ids(3),
    locations: ids(3),
    priceLists: ids(2),
    variantTypes: ids(1),
    values: ids(3),
  };
}

/** Every third category is automated. One category with subcategories is deleted, and one location. */
async function writeNamed(
  { db }: TestDatabase,
  { merchantId, ...ids }: ReturnType<typeof namedRecords>,
): Promise<void> {
  const rows = (list: string[], kind: string) =>
    list.map((id, n) => ({ merchantId, id, name: `${kind} ${String(n).padStart(2, '0')}` }));
  await db.insert(productBrand).values(rows(ids.brands, 'Brand'));
  await db.insert(productTag).values(rows(ids.tags, 'Tag'));
  await db
    .insert(salesChannel)
    .values(rows(ids.channels, 'Channel').map((row) => ({ ...row, type: 'STOREFRONT' as const })));
  await db
    .insert(productAttribute)
    .values(rows(ids.attributes, 'Attribute').map((row) => ({ ...row, type: 'TEXT' as const })));
  await db
    .insert(stockLocation)
    .values(rows(ids.locations, 'Location').map((row, n) => ({ ...row, deleted: n === 2 })));
  await db.insert(priceList).values(rows(ids.priceLists, 'List').map((row) => ({ ...row, currency: 'EUR' })));
  await db
    .insert(variantType)
    .values(rows(ids.variantTypes, 'Type').map((row) => ({ ...row, selectionType: 'choice' as const })));
  await db.insert(variantValue).values(
    rows(ids.values, 'Value').map((row, position) => ({
      ...row,
      position,
      variantTypeId: ids.variantTypes[0]!,
      deleted: false,
    })),
  );
  await db.insert(category).values(
    rows(ids.categories, 'Category').map((row, n) => ({
      ...row,
      parentId: n > 0 ? ids.categories[Math.floor(n / 2)]! : null,
      deleted: n === 3,
      isAutomated: n % 3 === 0,
      conditions: n % 3 === 0 ? json([{ conditionType: 'PRODUCT_NAME', valueList: [row.name] }]) : null,
    })),
  );
  // A cycle, which only plain SQL can make.
  await db.execute(sql`
    update category set parent_id = ${ids.categories[4]} where merchant_id = ${merchantId} and id = ${ids.categories[0]}`);
}

/** No worker compares products with conditions, so that the automated categories stay as they are written here. */
async function writeRows(
  { db, merchantId }: Context,
  { categories, priceLists, locations, variantTypes }: ReturnType<typeof namedRecords>,
  drawn: Drawn[],
): Promise<void> {
  const attributes = (id: string | null) =>
    id === null ? null : json([{ productAttributeId: id, productAttributeOptionId: null, value: 'x', imageIds: null }]);
  const createdAt = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString();
  await db.insert(product).values(
    drawn.map(({ id, name, type, day, deleted, brand, ...lists }) => ({
      merchantId,
      id,
      name,
      type,
      deleted,
      createdAt: createdAt(day),
      brandId: brand,
      tagIds: lists.tags,
      categoryIds: lists.categories,
      salesChannelIds: lists.channels,
      attributes: attributes(lists.attribute),
    })),
  );
  const variants = drawn.flatMap(({ id, variants }) =>
    variants.map(({ prices: [sellPrice, discountPrice, ...listed], ...members }, position) => ({
      ...members,
      row: {
        merchantId,
        id: newId(),
        productId: id,
        position,
        deleted: members.deleted,
        attributes: attributes(members.attribute),
        variantValueIds:
          members.value === null ? null : json([{ variantTypeId: variantTypes[0]!, variantValueId: members.value }]),
        prices: json([
          priceRow(sellPrice!, discountPrice!, null),
          ...priceLists.flatMap((list, n) => (listed[n] == null ? [] : [priceRow(listed[n], null, list)])),
        ]),
      },
    })),
  );
  await db.insert(variant).values(variants.map(({ row }) => row));
  await db
    .insert(productStockLocation)
    .values(
      variants.flatMap(({ stocks, row: { id, productId } }) =>
        stocks.flatMap((stockCount, n) =>
          stockCount === null
            ? []
            : [{ merchantId, id: newId(), productId, variantId: id, stockLocationId: locations[n]!, stockCount }],
        ),
      ),
    );
  await db
    .insert(categoryProduct)
    .values(
      drawn.flatMap(({ id, day, deleted, meets }) =>
        meets.flatMap((categoryId) =>
          deleted || categories.indexOf(categoryId) % 3 > 0
            ? []
            : [{ merchantId, categoryId, byConditions: true, createdAt: createdAt(day), productId: id }],
        ),
      ),
    );
}

function priceRow(sellPrice: number, discountPrice: number | null, priceListId: string | null) {
  return { sellPrice, buyPrice: null, discountPrice, currency: null, priceListId };
}

function json(value: object) {
  return sql`${JSON.stringify(value)}::json`;
}
