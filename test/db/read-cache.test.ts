import { isDeepStrictEqual } from 'node:util';
import { getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as tables from '../../drizzle/index.ts';
import type { Context } from '../../src/context.ts';
import { openReadCache, type ReadCache } from '../../src/db/read-cache.ts';
import { newId } from '../../src/db/id.ts';
import { Statement } from '../../src/db/statement.ts';
import { calls, createShop } from '../contract/calls.ts';
import { createContext } from '../support/context.ts';
import { answeringFrom } from '../support/answering-from.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, operations, startOperations } from '../support/operation.ts';

/** Read from the database each time: single records, and what comes from tables that do not tell of their changes. */
const NEVER_CACHED = ['me', 'getMerchant', 'getAuthorizedApp', 'getBulkOperation', 'listCustomer', 'listWebhook', 'listWebhookDelivery'];
/** The first hides all other columns of its row, the others are keys. */
const HIDDEN_COLUMNS = ['deleted', 'merchantId', 'id', 'sequence'];

/** What no answer shows where each list has one entry, nor for the merchant, who is not read from the cache. */
const UNSEEN = /\.position$|\.source_(id|url)$|^merchant\./;

const TABLES = Object.values(tables).filter((table) => is(table, PgTable));

/** Asks the database each time. */
const forgetful: ReadCache = { rows: async (reader, statement, read) => (read ? await read() : await reader.db.execute(statement)) as never, names: { known: () => null } };

let database: TestDatabase;
let ctx: Context;
let cached: CallOperation;
let plain: CallOperation;
let stop: () => Promise<void>;
let telling: PgTable[];

beforeAll(async () => {
  database = await createDatabase();
  const servers = [await startOperations(database.db), await startOperations(database.db, { readCache: forgetful })] as const;
  [cached, plain] = [servers[0].call, servers[1].call];
  stop = async () => void (await Promise.all(servers.map(async (server) => await server.stop())));
  ctx = await createContext(database.db);
  await fill(ctx);
  const triggers = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'catalogue_updated'`);
  const names = triggers.map(({ name }) => name);
  telling = TABLES.filter((table) => names.includes(getTableName(table)));
});
afterAll(async () => {
  await stop();
  await database.drop();
});

describe('what comes again', () => {
  it('is answered without the statement that read it, for every query of the catalogue', async () => {
    // The second time they are remembered, the third time given again.
    for (let times = 0; times < 3; times++) await expectEqualAnswers();
    const before = database.statements.length;
    for (const [name, variables] of queries()) await cached(ctx, name, variables);
    const again = database.statements.slice(before).filter((statement) => !statement.includes('pg_current_snapshot'));
    // The search itself is answered so; what its words are like is looked up first.
    expect(again.filter((statement) => !statement.includes('product_search_word'))).toEqual([]);
  });

  it('is read anew when any column of any of its tables was changed, by whomever', { timeout: 240_000 }, async () => {
    const unseen: string[] = [];
    let before = await answers(plain);
    for (const table of telling) {
      for (const change of changesOf(table)) {
        if (!(await tried(change.statement))) continue;
        const after = await expectEqualAnswers();
        if (isDeepStrictEqual(after, before)) unseen.push(change.name);
        before = after;
      }
    }
    expect(unseen.filter((name) => !UNSEEN.test(name))).toEqual([]);
  });

  it('is read anew when rows come, go, or go all at once', async () => {
    for (const table of telling.toReversed()) {
      if (await tried(sql`delete from ${table} where merchant_id = ${ctx.merchantId}`)) await expectEqualAnswers();
    }
    await fill(ctx);
    for (let times = 0; times < 2; times++) expect(JSON.stringify(await expectEqualAnswers())).toContain('"sellPrice":10');
    await database.owner.execute(sql`truncate product_price, product_tag_relation`);
    expect(JSON.stringify(await expectEqualAnswers())).not.toContain('"sellPrice"');
  });
});

describe('a change', () => {
  it('counts from the moment it is committed, however long its transaction took', async () => {
    const shop = await namedShop('long');
    const read = async () => (await cached(shop.ctx, 'listProductBrand', {})).data!['listProductBrand'] as { name: string }[];
    let commit = (): void => {};
    const committed = database.db.transaction(async (transaction) => {
      await transaction.execute(sql`update product_brand set name = 'later' where merchant_id = ${shop.ctx.merchantId}`);
      await new Promise<void>((resolve) => (commit = resolve));
    });
    for (let times = 0; times < 4; times++) {
      // Others' transactions begin and end meanwhile, also such as change the same.
      await database.db.execute(sql`update product_tag set name = name where merchant_id = ${shop.ctx.merchantId}`);
      expect((await read())[0]!.name).toBe('long');
    }
    await expect.poll(() => commit.name).not.toBe('commit');
    commit();
    await committed;
    expect((await read())[0]!.name).toBe('later');
  });

  it('is none if it is rolled back', async () => {
    const shop = await namedShop('kept');
    for (let times = 0; times < 3; times++) await cached(shop.ctx, 'listProductBrand', {});
    const undone = database.db.transaction(async (transaction) => {
      await transaction.execute(sql`update product_brand set name = 'undone' where merchant_id = ${shop.ctx.merchantId}`);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const before = database.statements.length;
    const { data } = await cached(shop.ctx, 'listProductBrand', {});
    expect(data!['listProductBrand']).toMatchObject([{ name: 'kept' }]);
    expect(database.statements.slice(before).filter((statement) => statement.includes('product_brand'))).toEqual([]);
  });

  it('is told by whoever may write the table and nothing else', async () => {
    const shop = await namedShop('role');
    await database.db.execute(sql`insert into price_list (merchant_id, name, currency) values (${shop.ctx.merchantId}, 'role', 'EUR')`);
    const names = async () => JSON.stringify((await cached(shop.ctx, 'listPriceList', {})).data);
    for (let times = 0; times < 3; times++) await names();
    const role = sql.identifier(`writer_${newId()}`);
    await database.owner.execute(sql`create role ${role}`);
    await database.owner.execute(sql`grant select, update on price_list to ${role}`);
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`set local role ${role}`);
      await transaction.execute(sql`set local search_path = ''`);
      await transaction.execute(sql`update public.price_list set name = 'written' where merchant_id = ${shop.ctx.merchantId}`);
    });
    expect(await names()).toContain('written');
    await database.owner.execute(sql`drop owned by ${role}`);
    await database.owner.execute(sql`drop role ${role}`);
  });

  it('is one for the merchant whose row goes to another', async () => {
    const [shop, other] = [await namedShop('here'), await namedShop('there')];
    const tags = async () => (await cached(shop.ctx, 'listProductTag', {})).data!['listProductTag'];
    for (let times = 0; times < 3; times++) expect(await tags()).toHaveLength(1);
    await database.db.execute(sql`update product_tag set merchant_id = ${other.ctx.merchantId} where merchant_id = ${shop.ctx.merchantId}`);
    expect(await tags()).toEqual([]);
  });

  it('of another merchant, or of a table that was not read, costs nothing', async () => {
    const [shop, other] = [await namedShop('one'), await namedShop('two')];
    for (let times = 0; times < 3; times++) await cached(shop.ctx, 'listProductBrand', {});
    await database.db.execute(sql`update product_brand set name = 'new' where merchant_id = ${other.ctx.merchantId}`);
    await database.db.execute(sql`update product_tag set name = 'new' where merchant_id = ${shop.ctx.merchantId}`);
    const before = database.statements.length;
    await cached(shop.ctx, 'listProductBrand', {});
    expect(database.statements.slice(before).filter((statement) => statement.includes('from "product_brand"'))).toEqual([]);
  });
});

describe('the cache', () => {
  const reader = () => ({ db: database.db, merchantId: ctx.merchantId });
  const ofBrands = (text: string) => new Statement(`select ${text} as text from product_brand where merchant_id = $1 limit 1`, [ctx.merchantId]);

  it('asks once for all who wait, and again for those who came after it had asked', async () => {
    const cache = openReadCache({ maxBytes: 1_000_000 });
    const statement = ofBrands('name');
    for (let times = 0; times < 2; times++) await cache.rows(reader(), statement);
    const before = database.statements.length;
    await Promise.all(Array.from({ length: 50 }, async () => await cache.rows(reader(), statement)));
    expect(database.statements.slice(before).filter((text) => text.includes('pg_current_snapshot')).length).toBeLessThanOrEqual(2);
  });

  it('keeps within its bytes', async () => {
    const cache = openReadCache({ maxBytes: 10_000 });
    const statements = Array.from({ length: 5 }, (_, n) => ofBrands(`repeat('${n}', 2000)`));
    for (const statement of [...statements, ...statements]) await cache.rows(reader(), statement);
    const before = database.statements.length;
    for (const statement of statements.toReversed()) await cache.rows(reader(), statement);
    expect(database.statements.slice(before).filter((text) => text.includes('repeat')).length).toBeGreaterThanOrEqual(3);
  });

  it('counts what an answer takes besides its characters', async () => {
    const cache = openReadCache({ maxBytes: 10_000 });
    const statements = Array.from({ length: 50 }, (_, n) => ofBrands(`'${n} small'`));
    for (const statement of [...statements, ...statements]) await cache.rows(reader(), statement);
    const before = database.statements.length;
    for (const statement of statements.toReversed()) await cache.rows(reader(), statement);
    expect(database.statements.slice(before).filter((text) => text.includes('small')).length).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['another server, or the same after a crash, which may have lost what was read', { server: 'other' }],
    ['an hour later than it seems here, when changes may be forgotten', { clock: Date.now() / 1_000 + 3_600 }],
    ['earlier than before, when the clock has been set', { clock: 0 }],
  ])('begins anew when the database answers from %s', async (_, moment) => {
    const { merchantId } = (await namedShop('read')).ctx;
    const cache = openReadCache({ maxBytes: 1_000_000 });
    const statement = new Statement('select name from product_brand where merchant_id = $1', [merchantId]);
    for (let times = 0; times < 3; times++) await cache.rows({ db: database.db, merchantId }, statement);
    await silently(sql`update product_brand set name = 'now' where merchant_id = ${merchantId}`);
    expect(await cache.rows({ db: database.db, merchantId }, statement)).toEqual([{ name: 'read' }]);
    expect(await cache.rows({ db: answeringFrom(database.db, moment), merchantId }, statement)).toEqual([{ name: 'now' }]);
  });

  it('remembers nothing that the time or chance is part of', async () => {
    const cache = openReadCache({ maxBytes: 1_000_000 });
    const rows = [];
    for (let times = 0; times < 4; times++) rows.push(JSON.stringify(await cache.rows(reader(), ofBrands('random()'))));
    expect(new Set(rows).size).toBe(4);
  });

  it('remembers nothing of a table whose triggers are off', async () => {
    await database.owner.execute(sql`alter table product_brand disable trigger catalogue_updated`);
    const cache = openReadCache({ maxBytes: 1_000_000 });
    const before = database.statements.length;
    for (let times = 0; times < 4; times++) await cache.rows(reader(), ofBrands('name'));
    expect(database.statements.slice(before).filter((text) => text.includes('product_brand'))).toHaveLength(4);
    await database.owner.execute(sql`alter table product_brand enable trigger catalogue_updated`);
  });
});

/** One record of each kind, and rows in every table of the catalogue. */
async function fill(context: Context): Promise<void> {
  const shop = await createShop(plain, context);
  for (const name of ['saveCategory', 'saveProductBrand', 'saveSalesChannel', 'savePriceList', 'saveVariantType', 'saveProductAttribute']) {
    expect((await plain(context, name, calls[name]!(shop))).errors).toBeUndefined();
  }
  await plain(context, 'saveProductBrand', { input: { id: shop.brand, name: 'Brand', metaData: { slug: 'brand', pageTitle: 'Brand' } } });
  await database.db.execute(sql`
    insert into variant_image (merchant_id, product_id, variant_id, image_id, position, "order", is_main)
    values (${context.merchantId}, ${shop.product}, ${shop.variant}, 'picture', 0, 1, true)`);
}

async function namedShop(name: string): Promise<{ ctx: Context }> {
  const own = await createContext(database.db);
  await plain(own, 'saveProductBrand', { input: { name } });
  await plain(own, 'saveProductTag', { input: { name } });
  return { ctx: own };
}

function queries(): [string, object][] {
  const names = [...operations].flatMap(([name, { kind }]) => (kind === 'query' && !NEVER_CACHED.includes(name) && name !== 'searchProducts' ? [name] : []));
  return [...names.map((name): [string, object] => [name, {}]), ['searchProducts', { input: {} }], ['searchProducts', { input: { query: 'Bundle' } }]];
}

async function answers(call: CallOperation): Promise<unknown[]> {
  const found = [];
  for (const [name, variables] of queries()) found.push(await call(ctx, name, variables));
  return found;
}

async function expectEqualAnswers(): Promise<unknown[]> {
  const expected = await answers(plain);
  expect(await answers(cached)).toEqual(expected);
  return expected;
}

/** No trigger tells of it. */
async function silently(statement: SQL): Promise<void> {
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(statement);
  });
}

async function tried(statement: SQL): Promise<boolean> {
  return await database.db.execute(statement).then(() => true, () => false);
}

/** Each column that may be read, changed in all of the merchant's rows. */
function changesOf(table: PgTable): { name: string; statement: SQL }[] {
  return Object.entries(getTableColumns(table)).flatMap(([member, column]) => {
    if (HIDDEN_COLUMNS.includes(member) || column.enumValues) return [];
    const name = sql.identifier(column.name);
    const value = {
      text: sql`coalesce(${name}, '') || 'x'`, numeric: sql`coalesce(${name}, 0) + 1`, integer: sql`coalesce(${name}, 0) + 1`, boolean: sql`not coalesce(${name}, false)`,
      'timestamp (3) with time zone': sql`coalesce(${name}, now()) + interval '1 day'`, 'text[]': sql`${name} || '{x}'::text[]`,
    }[column.getSQLType()];
    return value ? [{ name: `${getTableName(table)}.${column.name}`, statement: sql`update ${table} set ${name} = ${value} where merchant_id = ${ctx.merchantId}` }] : [];
  });
}
