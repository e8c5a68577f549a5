import fc, { type Arbitrary } from 'fast-check';
import { type SQL, sql } from 'drizzle-orm';
import { productTypeEnum } from '../../../drizzle/generated/enums.ts';
import type { ProductConditions } from '../../../src/product/filter/product-filters.ts';
import { FIRST_DAY, type RandomShop } from './random-shop.ts';

const DAY_MS = 86_400_000;

/**
 * A condition as an argument, and in plain SQL on a row `p` of `product`, as simple as possible. The SQL has the
 * merchant of each table as a parameter, so that it runs on a cluster too.
 */
export type Condition<Name extends keyof ProductConditions = keyof ProductConditions> = {
  name: Name;
  filter: NonNullable<ProductConditions[Name]>;
  oracle: SQL;
};

/** Generates some conditions, at most one of each kind. */
export function conditionsOn(shop: RandomShop): Arbitrary<Condition[]> {
  const all = [
    brands(shop),
    types(),
    categories(shop),
    prices(shop),
    stocks(shop),
    lists('tagIds', sql`p.tag_ids`, shop.tags),
    lists('salesChannelIds', sql`p.sales_channel_ids`, shop.channels),
    attributes(shop),
    days(),
  ];
  return fc
    .subarray(
      all.map((_, n) => n),
      { minLength: 1, maxLength: 3 },
    )
    .chain((chosen) => fc.tuple(...chosen.map((n) => all[n]! as Arbitrary<Condition>)));
}

export const argsOf = (conditions: readonly Condition[]): ProductConditions =>
  Object.fromEntries(conditions.map(({ name, filter }) => [name, filter]));

export const oracleOf = (conditions: readonly Condition[]): SQL =>
  sql.join([sql`not p.deleted`, ...conditions.map(({ oracle }) => sql`(${oracle})`)], sql` and `);

const texts = (values: readonly string[]): SQL => sql`${`{${values.join(',')}}`}::text[]`;
const ids = (values: readonly string[]): SQL => sql`${`{${values.join(',')}}`}::uuid[]`;

/** Generates a filter with one or two of the members, and the SQL for it with some of the values. */
function chosen<Filter extends object>(
  values: readonly string[],
  says: { [Member in keyof Filter]?: (chosen: string[]) => SQL },
): Arbitrary<{ filter: Filter; oracle: SQL }> {
  const members = Object.keys(says) as (keyof Filter & string)[];
  const used = (member: string) =>
    fc.subarray([...values], { minLength: 1, maxLength: member === 'in' || member === 'nin' ? 3 : 1 });
  return fc
    .subarray(members, { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((name) => used(name).map((list) => ({ name, list })))))
    .map((drawn) => ({
      filter: Object.fromEntries(
        drawn.map(({ name, list }) => [name, name === 'in' || name === 'nin' ? list : list[0]]),
      ) as Filter,
      oracle: sql.join(
        drawn.map(({ name, list }) => sql`(${says[name]!(list)})`),
        sql` and `,
      ),
    }));
}

function brands({ brands }: RandomShop) {
  const isOne = (list: string[]) => sql`p.brand_id = any(${ids(list)})`;
  return chosen<{ eq: string; in: string[]; nin: string[] }>(brands, {
    eq: isOne,
    in: isOne,
    nin: (list) => sql`(${isOne(list)}) is not true`,
  }).map((condition) => ({ name: 'brandId' as const, ...condition }));
}

function types() {
  const isOne = (list: string[]) => sql`p.type = any(${texts(list)})`;
  const isNone = (list: string[]) => sql`not ${isOne(list)}`;
  return chosen<NonNullable<ProductConditions['type']>>(productTypeEnum, {
    eq: isOne,
    ne: isNone,
    in: isOne,
    nin: isNone,
  }).map((condition) => ({ name: 'type' as const, ...condition }));
}

function lists(name: 'tagIds' | 'salesChannelIds', column: SQL, values: string[]) {
  const hasOne = (list: string[]) => sql`exists (select from unnest(${column}) as id where id = any(${ids(list)}))`;
  return chosen<{ eq: string; in: string[]; nin: string[] }>(values, {
    eq: hasOne,
    in: hasOne,
    nin: (list) => sql`not ${hasOne(list)}`,
  }).map((condition) => ({ name, ...condition }));
}

function attributes({ attributes, merchantId }: RandomShop) {
  const hasOne = (list: string[]) => sql`
    exists (
      select from (
        select p.attributes as list union all
        select v.attributes from variant v where v.merchant_id = ${merchantId} and v.product_id = p.id and not v.deleted
      ) as used, json_to_recordset(used.list) as entry("productAttributeId" uuid)
      where entry."productAttributeId" = any(${ids(list)}))`;
  return chosen<{ eq: string; in: string[]; nin: string[] }>(attributes, {
    eq: hasOne,
    in: hasOne,
    nin: (list) => sql`not ${hasOne(list)}`,
  }).map((condition) => ({ name: 'attributeId' as const, ...condition }));
}

/**
 * Category n is below category n/2, rounded down. The fourth one is deleted, and the first one is below the fifth,
 * which makes a cycle.
 */
function categories({ categories, merchantId }: RandomShop) {
  const isBelow = (n: number, root: number, seen: number[] = []): boolean => {
    if (n === root) return true;
    if (n === 3 || seen.includes(n)) return false;
    return isBelow(n === 0 ? 4 : Math.floor(n / 2), root, [...seen, n]);
  };
  const withBelow = (list: string[]) =>
    categories.filter((_, n) => list.some((id) => isBelow(n, categories.indexOf(id))));
  const isIn = (list: string[]) => sql`
    exists (
      select from category c where c.merchant_id = ${merchantId} and c.id = any(${ids(list)})
        and case when c.by_conditions
          then exists (select from category_product m where m.merchant_id = ${merchantId} and m.product_id = p.id and m.category_id = c.id and m.by_conditions)
          else c.id = any(p.category_ids) end)`;
  return fc.boolean().chain((includeSubcategories) => {
    const found = (list: string[]) => isIn(includeSubcategories ? withBelow(list) : list);
    return chosen<{ eq: string; in: string[]; nin: string[] }>(categories, {
      eq: found,
      in: found,
      nin: (list) => sql`not ${found(list)}`,
    }).map(({ filter, oracle }) => ({
      name: 'categoryIds' as const,
      filter: { ...filter, includeSubcategories },
      oracle,
    }));
  });
}

function prices({ priceLists, merchantId }: RandomShop) {
  const bound = fc.option(fc.integer({ min: 0, max: 32 }).map((n) => n / 2 + 0.5));
  return fc
    .record({
      priceListId: fc.option(fc.constantFrom(...priceLists)),
      gt: bound,
      gte: bound,
      lt: bound,
      lte: bound,
    })
    .map(({ priceListId, ...bounds }) => ({
      name: 'price' as const,
      filter: { priceListId, ...bounds },
      oracle: sql`
        ${bounds.gt ?? bounds.gte ?? bounds.lt ?? bounds.lte}::numeric is null or exists (
          select from variant v, json_to_recordset(v.prices) as row("sellPrice" numeric, "discountPrice" numeric, "priceListId" uuid),
            lateral (select coalesce(row."discountPrice", row."sellPrice") as price) as paid
          where v.merchant_id = ${merchantId} and v.product_id = p.id and not v.deleted
            and row."priceListId" is not distinct from ${priceListId}::uuid
            and coalesce(paid.price > ${bounds.gt}::numeric, true) and coalesce(paid.price >= ${bounds.gte}::numeric, true)
            and coalesce(paid.price < ${bounds.lt}::numeric, true) and coalesce(paid.price <= ${bounds.lte}::numeric, true))`,
    }));
}

function stocks({ locations, merchantId }: RandomShop) {
  return fc.tuple(fc.boolean(), fc.option(fc.subarray(locations))).map(([inStock, stockLocationIds]) => ({
    name: 'stock' as const,
    filter: { inStock, stockLocationIds },
    oracle: sql`
        ${inStock} = exists (
          select from product_stock_location s
          join variant v on v.merchant_id = ${merchantId} and v.id = s.variant_id and not v.deleted
          join stock_location l on l.merchant_id = ${merchantId} and l.id = s.stock_location_id and not l.deleted
          where s.merchant_id = ${merchantId} and s.product_id = p.id and not s.deleted and s.stock_count > 0
            and coalesce(l.id = any(${stockLocationIds && `{${stockLocationIds.join(',')}}`}::uuid[]), true))`,
  }));
}

function days() {
  return fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 5, max: 20 })).map(([first, last]) => ({
    name: 'createdAt' as const,
    filter: { gte: FIRST_DAY + first * DAY_MS, lt: FIRST_DAY + last * DAY_MS },
    oracle: sql`p.created_at >= ${new Date(FIRST_DAY + first * DAY_MS).toISOString()}::timestamptz
      and p.created_at < ${new Date(FIRST_DAY + last * DAY_MS).toISOString()}::timestamptz`,
  }));
}
