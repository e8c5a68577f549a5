import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { findTerms } from '../../../src/product/search/search-terms.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';

const PRODUCTS = 200;
const NAMES = 26_000;
/** Measured: the slowest search takes 0.6 s on a busy machine. */
const MAX_SEARCH_MS = 10_000;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

let database: TestDatabase;
let service: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
/** Creates a merchant whose names and words lead to the largest queries. */
beforeAll(async () => {
  database = await createDatabase();
  service = await startOperations(database.db);
  ctx = await createContext(database.db);
  const { merchantId } = ctx;
  await database.db.execute(sql`
    insert into product_tag (merchant_id, name)
    select ${merchantId}, chr(97 + n % 26) || ' tag ' || n from generate_series(1, ${NAMES}::int) as n`);
  await database.db.execute(sql`
    insert into product (merchant_id, name, type, description)
    select ${merchantId}, 'Product ' || n || repeat(' 无线蓝牙耳机เสื้อยืดผ้าฝ้าย', 3), 'PHYSICAL',
      (select string_agg(chr(97 + letter) || repeat(chr(97 + n % 26), 300) || letter, ' ') from generate_series(0, 25) as letter)
    from generate_series(1, ${PRODUCTS}::int) as n`);
  await updateAllSearchDocuments(database, AbortSignal.timeout(120_000));
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

it.each([
  ['one letter', 'a'],
  ['26 letters, each the beginning of many words and names', LETTERS.split('').join(' ')],
  ['250 words of one letter', Array.from({ length: 250 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' ')],
  ['125 unknown words', Array.from({ length: 125 }, (_, n) => `qx${LETTERS[n % 26]}`).join(' ')],
  ['16 unknown words', Array.from({ length: 16 }, (_, n) => `prod${LETTERS[n]}uct`).join(' ')],
  ['500 Chinese characters', '无线蓝牙耳机'.repeat(83)],
  ['8 characters of which one is wrong', '无线蓝牙耳鸡无线'],
  ['4 texts with a wrong character', '无线蓝牙耳鸡无线 线蓝牙耳鸡无线蓝 蓝牙耳鸡无线蓝牙 牙耳鸡无线蓝牙耳'],
  ['100 texts with a wrong character', '无线耳鸡 '.repeat(100)],
  ['a long Thai text that is nowhere', 'เสื้อยืดผ้าฝ้าย'.repeat(20)],
  ['wildcards', '%_*:&|!<->()\\\'"'.repeat(20)],
  ['one word of 500 letters', 'a'.repeat(500)],
  ['emoji', '😀'.repeat(250)],
])('a search for %s is answered', async (_, query) => {
  const start = performance.now();
  const { errors, data } = await service.call(ctx, 'searchProducts', { input: { query, pagination: { limit: 1 } } });
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({ searchProducts: { totalCount: expect.any(Number) } });
  expect(performance.now() - start).toBeLessThan(MAX_SEARCH_MS);
});

it('reads a bounded number of words and ids, however many begin with each word of the query', async () => {
  let bytes = 0;
  const db = new Proxy(ctx.db, {
    get: (target, member) =>
      member !== 'execute'
        ? Reflect.get(target, member)
        : async (statement: SQL) => {
            const rows = await target.execute(statement);
            bytes += JSON.stringify(rows).length;
            return rows;
          },
  }) as Database;
  const { words } = await findTerms({ ...ctx, db }, LETTERS.split('').join(' '));
  expect(words.map(({ names }) => names.length)).toEqual(words.map(() => Math.ceil(1_000 / LETTERS.length)));
  expect(bytes).toBeLessThan(100_000);
});

it.each([
  ['501 characters', 'a'.repeat(501)],
  ['1 MB', '无线'.repeat(175_000)],
  ['thousands of words', 'ab '.repeat(4_000)],
  ['NUL', 'nul\0'],
])('a search for %s is refused', async (_, query) => {
  const { errors } = await service.call(ctx, 'searchProducts', { input: { query } });
  expect(errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'query'] }] } },
  ]);
});
