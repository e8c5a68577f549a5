import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { column, readRows } from '../../../src/db/connection/read-rows.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('returns rows of the types of their columns', async () => {
  const columns = {
    name: column.text,
    count: column.number,
    isNew: column.boolean,
    words: column.json<string[]>,
    state: column.oneOf(['open', 'closed']),
    parent: column.nullable(column.text),
    any: column.unknown,
  };
  const rows = await readRows(
    database,
    columns,
    sql`select 'a' as name, 2 as count, true as "isNew", '["b"]'::json as words, 'open' as state, null as parent, null as any`,
  );
  expect(rows).toEqual([{ name: 'a', count: 2, isNew: true, words: ['b'], state: 'open', parent: null, any: null }]);
});

it.each([
  ['a bigint, which is text', { n: column.number }, sql`select 1::bigint as n`],
  ['null', { n: column.number }, sql`select null::int as n`],
  ['a column of another name', { n: column.number }, sql`select 1 as m`],
  ['another word', { n: column.oneOf(['a', 'b']) }, sql`select 'c' as n`],
  ['a scalar instead of JSON', { n: column.json<object> }, sql`select 1 as n`],
  ['null in a later row', { n: column.text }, sql`select 'a' as n union all select null`],
])('refuses %s', async (_, columns, statement) => {
  await expect(readRows(database, columns, statement)).rejects.toThrow('The column "n"');
});
