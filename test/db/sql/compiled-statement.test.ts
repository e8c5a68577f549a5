import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { cachedSql, render, withOneParameter } from '../../../src/db/sql/compiled-statement.ts';

/** Opens no connection, because the tests send no statement. */
const ctx = connect('postgres://127.0.0.1:1/none', { poolSize: 1, statementTimeoutMs: 1_000 });

it("compiles the text once, and puts each call's values in its parameters", () => {
  let made = 0;
  const statement = (one: string, other: string) =>
    cachedSql(ctx, 'a test', [one, other], () => (made++, sql`select ${one}, ${other}::int`));
  expect([statement('a', '1'), statement('b', '2')].map(render)).toMatchObject([
    { sql: 'select $1, $2::int', params: ['a', '1'] },
    { sql: 'select $1, $2::int', params: ['b', '2'] },
  ]);
  expect(render(sql`with part as (${statement('c', '3')}) select ${4}`)).toMatchObject({
    sql: 'with part as (select $1, $2::int) select $3',
    params: ['c', '3', 4],
  });
  expect(made).toBe(1);
});

it('refuses a text with other parameters than the values', () => {
  expect(() => cachedSql(ctx, 'another test', ['a'], () => sql`select ${'b'}`)).toThrow('other parameters');
  expect(() => cachedSql(ctx, 'a third test', [], () => sql`select ${'b'}`)).toThrow('other parameters');
});

it('renders a value that is used several times as one parameter, and adjacent literals as one', () => {
  const expression = sql`select ${'m'}, ${sql.raw(`'a' || 'b' || c`)} where ${'m'} = d`;
  expect(withOneParameter(expression, 'm')).toBe(`select $1, 'ab' || c where $1 = d`);
  expect(() => withOneParameter(sql`select ${'m'}, ${'other'}`, 'm')).toThrow('besides the merchant');
});
