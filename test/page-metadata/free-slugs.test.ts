import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { render } from '../../src/db/sql/compiled-statement.ts';
import { newId } from '../../src/db/sql/id.ts';
import { freeSlugs } from '../../src/page-metadata/free-slugs.ts';
import { bulkUpdateProducts } from '../../src/product/bulkUpdateProducts.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

const LONGEST = 255;
/** Code points of a slug that stay when it gets a number. */
const KEPT = 247;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** Pages `shirt`, `shirt-2` and so on. */
async function addPages(count: number): Promise<void> {
  await database.db.execute(sql`
    insert into html_meta_data (merchant_id, id, target_id, target_type, slug)
    select ${ctx.merchantId}::uuid, uuid_v7(), uuid_v7(), 'PAGE', case when n = 1 then 'shirt' else 'shirt-' || n end
    from generate_series(1, ${count}::int) as n`);
}

async function brand(input: object, by = ctx): Promise<{ id: string; slug: string; pageTitle: string | null }> {
  const selection = { id: {}, metaData: { slug: {}, pageTitle: {} } };
  const { id, metaData } = await saveProductBrand(by, { input: { name: newId(), ...input } }, selection);
  return { id, slug: metaData!.slug, pageTitle: metaData!.pageTitle ?? null };
}

async function addProducts(slugs: (string | null)[]): Promise<string[]> {
  const input = slugs.map((slug) => ({
    name: 'Shirt',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [],
    metaData: { slug, pageTitle: 'Title' },
  }));
  await bulkUpdateProducts(ctx, { input: input as never });
  const rows = await database.db.execute<{ slug: string }>(sql`
    select slug from html_meta_data
    where merchant_id = ${ctx.merchantId} and target_type = 'PRODUCT' and page_title = 'Title' order by target_id`);
  return rows.map(({ slug }) => slug);
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `shirt-${from + n}`);

describe('a slug that 20,000 pages have', () => {
  beforeEach(async () => await addPages(20_000));

  it('gets the next number, and the metadata that was sent is kept', async () => {
    const metaData = { slug: 'shirt', pageTitle: 'Title' };
    expect(await brand({ metaData })).toMatchObject({ slug: 'shirt-20001', pageTitle: 'Title' });
    const { id } = await brand({});
    expect(await brand({ id, metaData })).toMatchObject({ slug: 'shirt-20002', pageTitle: 'Title' });
  });

  it('gets a low number that is free again', async () => {
    await database.db.execute(sql`
      update html_meta_data set slug = 'other' where merchant_id = ${ctx.merchantId} and slug = 'shirt-700'`);
    expect((await brand({ metaData: { slug: 'shirt' } })).slug).toBe('shirt-700');
    expect((await brand({ metaData: { slug: 'shirt' } })).slug).toBe('shirt-20001');
  });

  it('gets as many numbers as a bulk request has products, from a statement that has it once', async () => {
    expect((await addProducts(Array(1_000).fill(null))).toSorted()).toEqual(numbered(20_001, 21_000).toSorted());
    const sent: unknown[] = [];
    const execute = async (statement: SQL) => {
      sent.push(render(statement).params);
      return await database.db.execute(statement);
    };
    const free = await freeSlugs({ ...ctx, db: { execute } as never }, Array(1_000).fill('shirt') as string[]);
    expect(free).toEqual(new Map([['shirt', numbered(21_001, 22_000)]]));
    expect(JSON.stringify(sent).length).toBeLessThan(500);
  });
});

describe('the products of a bulk request', () => {
  it('get the lowest free numbers in their order', async () => {
    await addPages(4);
    await database.db.execute(sql`
      update html_meta_data set slug = 'old-' || slug
      where merchant_id = ${ctx.merchantId} and slug in ('shirt', 'shirt-3')`);
    expect(await addProducts([null, null, null, 'cap', null])).toEqual([
      'shirt',
      'shirt-3',
      'shirt-5',
      'cap',
      'shirt-6',
    ]);
  });

  it('get different slugs if they want slugs that others get by a number', async () => {
    expect(await addProducts(['shirt', 'shirt', 'shirt-2', 'shirt-2'])).toEqual([
      'shirt',
      'shirt-3',
      'shirt-2',
      'shirt-2-2',
    ]);
  });

  it('get different slugs if these differ only at the end, where the number is', async () => {
    const [a, b] = ['a', 'b'].map((end) => `${'ü'.repeat(LONGEST - 1)}${end}`) as [string, string];
    const short = 'ü'.repeat(KEPT);
    const slugs = await addProducts([a, b, a, b]);
    expect(slugs.slice(0, 2)).toEqual([a, b]);
    expect(slugs.slice(2).toSorted()).toEqual([`${short}-2`, `${short}-3`]);
  });
});

describe('taken slugs that differ only at the end, where the number is', () => {
  const slugs = Array.from({ length: 30 }, (_, n) => `${'a'.repeat(LONGEST - 2)}${10 + n}`);
  const base = 'a'.repeat(KEPT);
  beforeEach(async () => void (await addProducts(slugs)));

  it('are looked up by one statement, together, for all products of a request', async () => {
    const before = database.statements.length;
    expect((await addProducts(slugs)).slice(30).toSorted()).toEqual(
      Array.from({ length: 30 }, (_, n) => `${base}-${2 + n}`).toSorted(),
    );
    expect(database.statements.slice(before).filter((text) => text.includes('generate_series'))).toHaveLength(1);
  });

  it('are given out once, also those that are free themselves and have such a number', async () => {
    const wanted = [...slugs, `${base}-2`, `${base}-3`, `${base}-3`];
    const free = await freeSlugs(ctx, wanted);
    const given = [...free.values()].flat();
    expect(given.toSorted()).toEqual(Array.from({ length: 33 }, (_, n) => `${base}-${2 + n}`).toSorted());
    expect([...free.values()].map((own) => own.length)).toEqual([...Array<number>(31).fill(1), 2]);
    expect(free.get(`${base}-3`)).toContain(`${base}-3`);
  });
});

it('gives two records a slug each if two transactions want the same for them', async () => {
  const [first, second] = [await brand({}), await brand({})];
  const metaData = { slug: 'shirt', pageTitle: 'Title' };
  let waiting: ReturnType<typeof brand> | undefined;
  await database.db.transaction(async (db) => {
    expect((await brand({ id: first.id, metaData }, { ...ctx, db } as never)).slug).toBe('shirt');
    waiting = brand({ id: second.id, metaData });
    await waitForLocks(database.owner, 1);
  });
  expect(await waiting).toEqual({ ...second, slug: 'shirt-2', pageTitle: 'Title' });
});
