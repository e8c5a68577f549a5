import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/id.ts';
import { openReadCache } from '../../src/db/read-cache.ts';
import type { Selection } from '../../src/db/shape.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { answeringFrom } from '../support/answering-from.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** In the text of a statement: it asks for marks that dictionaries fill in. */
const MARK = String.raw`\x02`;
const AWKWARD = ['plain', 'with "quotes" and \\', 'line\nbreak\ttab', 'ü 京 𝄞 \u2028', '\u007f </script>'];
const record: Selection = { id: {}, name: {} };

let database: TestDatabase;
let plain: Context;
let cached: Context;
let brands: string[];
/** Pages of ever other lengths: none is answered from the cache of rows. */
let limit = 20;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  plain = await createContext(database.db);
  cached = { ...plain, readCache: openReadCache({ maxBytes: 1_000_000 }) };
  brands = AWKWARD.map(() => newId());
  await fill(plain.merchantId, brands);
});

describe('names of brands, categories and tags', () => {
  it.each<Selection>([
    { brand: record, categories: record, tags: record },
    { tags: { name: {}, id: {} }, brand: { name: {} }, id: {}, categories: { id: {} } },
    { brand: { id: {}, name: {}, createdAt: {} }, categories: { parentId: {}, name: {} }, tags: record },
    { name: {}, brand: record, variants: { id: {} } },
  ])('come from dictionaries with the same bytes: %j', async (selection) => {
    await learn(selection);
    const before = database.statements.length;
    const text = await read(cached, selection);
    expect(database.statements.slice(before).join()).toContain(MARK);
    expect(text).toBe(await read(plain, selection));
    expect(text).not.toContain('\u0002');
  });

  it('are those of the caller\'s own shop', async () => {
    const other = await createContext(database.db);
    await fill(other.merchantId, AWKWARD.map(() => newId()), 'other ');
    await learn({ brand: record });
    const others = { ...other, readCache: cached.readCache! };
    await learn({ brand: record }, others);
    expect(await read(others, { brand: record })).toBe(await read(other, { brand: record }));
    expect(await read(cached, { brand: record })).not.toContain('other ');
  });

  it('are told as they are now, whoever changed them a moment ago', async () => {
    const selection = { name: {}, brand: record, tags: record };
    for (let times = 0; times < 40; times++) {
      // By turns long enough after a change for the dictionaries to be read again, and right after it.
      if (times % 8 === 0) await learn(selection);
      if (times % 2 === 0) await database.db.execute(sql`update product_brand set name = name || ${times} where merchant_id = ${plain.merchantId} and id = ${brands[times % brands.length]}`);
      expect(await read(cached, selection)).toBe(await read(plain, selection));
    }
  });

  it('are told of a brand that came with its product', async () => {
    await learn({ brand: record });
    await database.db.transaction(async (transaction) => {
      await transaction.execute(sql`insert into product_brand (merchant_id, id, name) values (${plain.merchantId}, ${newId()}, 'new')`);
      await transaction.execute(sql`
        update product set brand_id = (select id from product_brand where merchant_id = ${plain.merchantId} and name = 'new') where merchant_id = ${plain.merchantId}`);
    });
    const text = await read(cached, { brand: record });
    expect(text).toContain('"name":"new"');
    expect(text).toBe(await read(plain, { brand: record }));
  });

  it.each([
    ['another server, or the same after a crash', { server: 'other' }],
    ['an hour later than it seems here', { clock: Date.now() / 1_000 + 3_600 }],
  ])('are read with their records when the database answers from %s', async (_, moment) => {
    await learn({ brand: record });
    await silently(sql`update product_brand set name = 'now ' || name where merchant_id = ${plain.merchantId}`);
    expect(await read(cached, { brand: record })).not.toContain('now ');
    expect(await read({ ...cached, db: answeringFrom(cached.db, moment) }, { brand: record })).toBe(await read(plain, { brand: record }));
  });

  it('are not those of a minute ago, though nobody has told of a change', async () => {
    await learn({ brand: record });
    await silently(sql`update product_brand set name = 'now ' || name where merchant_id = ${plain.merchantId}`);
    const now = performance.now.bind(performance);
    for (const passed of [30_000, 59_000, 88_000]) {
      vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
      await read(cached, { brand: record });
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(await read(cached, { brand: record })).toBe(await read(plain, { brand: record }));
    vi.restoreAllMocks();
  });

  it('are read with their records where there are too many of them', async () => {
    await database.db.execute(sql`insert into product_tag (merchant_id, name) select ${plain.merchantId}, 'many ' || n from generate_series(1, 20001) n`);
    await learn({ tags: record });
    const before = database.statements.length;
    const text = await read(cached, { tags: record });
    expect(database.statements.slice(before).join()).not.toContain(MARK);
    expect(text).toBe(await read(plain, { tags: record }));
  });
});

async function read(ctx: Context, selection: Selection): Promise<string> {
  const page = await listProduct(ctx, { pagination: { limit: ctx.readCache ? ++limit : 200 } }, { data: selection });
  return page.json!.text;
}

/** No trigger tells of it. */
async function silently(statement: SQL): Promise<void> {
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(statement);
  });
}

/** Until the dictionaries are there, if they are going to be. */
async function learn(selection: Selection, ctx = cached): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await read(ctx, selection);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

/** A product without any, and one for each name with that brand, category and tag, and all tags before it. */
async function fill(merchantId: string, brandIds: string[], prefix = ''): Promise<void> {
  await database.db.execute(sql`insert into product (merchant_id, name, type) values (${merchantId}, 'none', 'PHYSICAL')`);
  for (const [place, name] of AWKWARD.entries()) {
    const [brandId, productId, tagId, categoryId] = [brandIds[place], newId(), newId(), newId()];
    await database.db.execute(sql`insert into product_brand (merchant_id, id, name) values (${merchantId}, ${brandId}, ${prefix + name})`);
    await database.db.execute(sql`insert into product_tag (merchant_id, id, name) values (${merchantId}, ${tagId}, ${prefix + name})`);
    await database.db.execute(sql`insert into category (merchant_id, id, name, path) values (${merchantId}, ${categoryId}, ${prefix + name}, array[${categoryId}]::uuid[])`);
    await database.db.execute(sql`insert into product (merchant_id, id, name, type, brand_id) values (${merchantId}, ${productId}, ${name}, 'PHYSICAL', ${brandId})`);
    await database.db.execute(sql`insert into product_category (merchant_id, product_id, category_id, position) values (${merchantId}, ${productId}, ${categoryId}, 0)`);
    await database.db.execute(sql`
      insert into product_tag_relation (merchant_id, product_id, tag_id, position)
      select ${merchantId}, ${productId}, id, row_number() over (order by id) from product_tag where merchant_id = ${merchantId}`);
  }
}
