import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startServiceProcess } from '../../support/service.ts';

// The test starts a worker four times, which takes up to 20 s each time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const SEED = Number(process.env.MEMBERSHIP_SEED ?? 18);
const KILLS = 3;
const CHANGES_PER_KILL = Number(process.env.MEMBERSHIP_CHANGES ?? 60);
const CHANGES_BEFORE_KILL = CHANGES_PER_KILL / 2;
const POLL_MS = 100;
const MAX_POLLS = 400;

type Condition = { conditionType: string; method: string; valueList: string[] };
type StoredCategory = { id: string; isOn: boolean; all: boolean; conditions: Condition[] };
type StoredVariant = { price: number; discount: number | null; option: string };
type StoredProduct = {
  id: string;
  name: string;
  brand: string | null;
  tags: string[];
  categories: string[];
  day: string;
  attribute: string;
  variants: StoredVariant[];
};

let database: TestDatabase;
let ctx: Context;
let next = SEED;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const ids = Array.from({ length: 3 }, newId);
const NAMES = ['blue shirt', 'mug', 'red mug', 'book'];
const DAYS = ['2026-01-01', '2026-02-01', '2026-03-01'];

/** A random number from a linear congruential generator, so that a seed repeats a failure. */
function below(limit: number): number {
  next = (next * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((next / 2 ** 31) * limit);
}
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const some = <T>(list: readonly T[]): T[] => list.filter(() => below(2) === 0);
const maybe = <T>(value: T): T | null => (below(3) === 0 ? null : value);

const VALUES: Record<string, () => string[]> = {
  CATEGORY: () => some(ids),
  CREATED_AT: () => [pick(DAYS), pick(DAYS)],
  DISCOUNTED_PRODUCTS: () => some(['true', 'false']),
  PRICE_RANGE: () => [`${below(20)}-${below(20)}`],
  PRODUCT_ATTRIBUTE: () => some(ids),
  PRODUCT_BRAND: () => some(ids),
  PRODUCT_NAME: () => some(['MUG', 'shirt']),
  PRODUCT_TAG: () => some(ids),
  VARIANT_VALUE: () => some(ids),
};

function conditions(): string {
  const types = Array.from({ length: below(3) + 1 }, () => pick(Object.keys(VALUES)));
  return JSON.stringify(
    types.map((conditionType) => ({
      conditionType,
      method: pick(['IN', 'NOT_IN']),
      valueList: VALUES[conditionType]!(),
    })),
  );
}

/** Whether a product meets a condition, computed as simply as possible. */
const MEETS: Record<string, (product: StoredProduct, values: string[]) => boolean> = {
  CATEGORY: ({ categories }, values) => categories.some((id) => values.includes(id)),
  CREATED_AT: ({ day }, values) => day >= values.toSorted()[0]! && day <= values.toSorted()[1]!,
  DISCOUNTED_PRODUCTS: ({ variants }, values) =>
    (values.length === 0 ? ['true'] : values).includes(
      String(variants.some(({ price, discount }) => discount !== null && discount < price)),
    ),
  PRICE_RANGE: ({ variants }, [range]) => {
    const [from, to] = range!
      .split('-')
      .map(Number)
      .toSorted((a, b) => a - b);
    return variants.some(({ price }) => price >= from! && price <= to!);
  },
  PRODUCT_ATTRIBUTE: ({ attribute }, values) => values.includes(attribute),
  PRODUCT_BRAND: ({ brand }, values) => brand !== null && values.includes(brand),
  PRODUCT_NAME: ({ name }, values) => values.some((text) => name.includes(text.toLowerCase())),
  PRODUCT_TAG: ({ tags }, values) => tags.some((id) => values.includes(id)),
  VARIANT_VALUE: ({ variants }, values) => variants.some(({ option }) => values.includes(option)),
};

function meets(product: StoredProduct, { isOn, all, conditions }: StoredCategory): boolean {
  const met = conditions.map(
    ({ conditionType, method, valueList }) => MEETS[conditionType]!(product, valueList) === (method === 'IN'),
  );
  return isOn && (all ? met.every(Boolean) : met.some(Boolean));
}

const array = (list: string[]): string => `{${list.join(',')}}`;

/** A change of a random row of a table. */
function change(table: string, set: SQL): SQL {
  return sql`
    update ${sql.identifier(table)} set ${set}
    where merchant_id = ${ctx.merchantId} and id = (
      select id from ${sql.identifier(table)} where merchant_id = ${ctx.merchantId} order by id offset ${below(12)} limit 1)`;
}

const price = () =>
  JSON.stringify([
    { sellPrice: below(20), discountPrice: maybe(below(20)) },
    { sellPrice: 7, priceListId: ids[0] },
  ]);
const option = () => JSON.stringify([{ variantTypeId: newId(), variantValueId: pick(ids) }]);
const attribute = () => JSON.stringify([{ productAttributeId: pick(ids) }]);

const CHANGES: (() => SQL)[] = [
  () => change('product', sql`name = ${pick(NAMES)}`),
  () => change('product', sql`brand_id = ${maybe(pick(ids))}`),
  () => change('product', sql`tag_ids = ${array(some(ids))}::uuid[]`),
  () => change('product', sql`category_ids = ${array(some(ids))}::uuid[]`),
  () => change('product', sql`deleted = not deleted`),
  () => change('product', sql`created_at = ${pick(DAYS)}::timestamptz`),
  () => change('product', sql`attributes = ${attribute()}::json`),
  () => change('variant', sql`prices = ${price()}::json`),
  () => change('variant', sql`variant_value_ids = ${option()}::json`),
  () => change('variant', sql`deleted = not deleted`),
  () => change('category', sql`conditions = ${conditions()}::json`),
  () => change('category', sql`should_match_all_conditions = ${maybe(below(2) === 0)}`),
  () => change('category', sql`is_automated = not is_automated`),
  () => change('category', sql`deleted = not deleted`),
  () => sql`
    insert into category (merchant_id, name, is_automated, conditions)
    values (${ctx.merchantId}, 'automated', true, ${conditions()}::json)`,
  newProduct,
  newProduct,
  () => sql`
    delete from product where merchant_id = ${ctx.merchantId} and id = (
      select id from product where merchant_id = ${ctx.merchantId} order by id offset ${below(12)} limit 1)`,
];

function newProduct(): SQL {
  return sql`
    with added as (
      insert into product (merchant_id, name, type, created_at, attributes)
      values (${ctx.merchantId}, ${pick(NAMES)}, 'PHYSICAL', ${pick(DAYS)}::timestamptz, ${attribute()}::json) returning id
    )
    insert into variant (merchant_id, product_id, position, prices, variant_value_ids)
    select ${ctx.merchantId}::uuid, id, 0, ${price()}::json, ${option()}::json from added`;
}

async function storedProducts(): Promise<StoredProduct[]> {
  return [
    ...(await database.db.execute<StoredProduct>(sql`
      select id, name, brand_id as brand, to_json(tag_ids) as tags, to_json(category_ids) as categories,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, attributes -> 0 ->> 'productAttributeId' as attribute,
        (select coalesce(json_agg(json_build_object('price', v.prices -> 0 -> 'sellPrice',
            'discount', v.prices -> 0 -> 'discountPrice', 'option', v.variant_value_ids -> 0 ->> 'variantValueId')), '[]')
          from variant v where v.merchant_id = ${ctx.merchantId} and v.product_id = p.id and not v.deleted) as variants
      from product p where merchant_id = ${ctx.merchantId} and not deleted`)),
  ];
}

async function expected(): Promise<Record<string, string[]>> {
  const categories = await database.db.execute<StoredCategory>(sql`
    select id, coalesce(is_automated, false) and not deleted as "isOn", coalesce(should_match_all_conditions, false) as "all",
      conditions from category where merchant_id = ${ctx.merchantId}`);
  const products = await storedProducts();
  return Object.fromEntries(
    [...categories].map((one) => [
      one.id,
      products.flatMap((product) => (meets(product, one) ? [product.id] : [])).toSorted(),
    ]),
  );
}

async function listed(categoryIds: string[]): Promise<Record<string, string[]>> {
  const lists = categoryIds.map(async (id) => {
    const { data } = await listProduct(
      ctx,
      { categoryIds: { eq: id }, pagination: { limit: 200 } },
      { data: { id: {} } },
    );
    return [id, data.map((product) => product.id).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}

async function settled(): Promise<void> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const [pending] = await database.db.execute<{ count: number }>(sql`
      select (select count(*) from membership_pending_product where merchant_id = ${ctx.merchantId})
        + (select count(*) from membership_pending_category where merchant_id = ${ctx.merchantId})
        + (select count(*) from membership_recheck where merchant_id = ${ctx.merchantId}) as count`);
    if (Number(pending!.count) === 0) return;
    await wait(POLL_MS);
  }
  throw new Error('products or categories are still pending');
}

it(`has what its conditions say after random changes by plain SQL and ${KILLS} kills of the worker (seed ${SEED})`, async () => {
  for (let times = 0; times < 12; times++)
    for (const make of [newProduct, CHANGES[14]!]) await database.db.execute(make());
  for (let kill = 0; kill <= KILLS; kill++) {
    const worker = await startServiceProcess(database.url, { ROLE: 'worker' });
    onTestFinished(() => worker.kill());
    for (let step = 0; step < CHANGES_PER_KILL; step++) {
      await database.db.execute(pick(CHANGES)());
      if (step === CHANGES_BEFORE_KILL && kill < KILLS) await worker.kill();
    }
    if (kill === KILLS) await settled();
  }
  const wanted = await expected();
  expect(Object.values(wanted).flat().length).toBeGreaterThan(0);
  expect(await listed(Object.keys(wanted))).toEqual(wanted);
});
