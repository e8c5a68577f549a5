import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { cachedSql, render, withOneParameter } from '../../../src/db/sql/compiled-statement.ts';

it("makes a text once, and puts each call's values in their places", () => {
  let made = 0;
  const statement = (one: string, other: string) =>
    cachedSql('a test', [one, other], () => (made++, sql`select ${one}, ${other}::int`));
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

it('refuses a text whose parameters are not the values', () => {
  expect(() => cachedSql('another test', ['a'], () => sql`select ${'b'}`)).toThrow('other parameters');
  expect(() => cachedSql('a third test', [], () => sql`select ${'b'}`)).toThrow('other parameters');
});

it('renders an expression with one parameter wherever its value is used, and adjacent literals as one', () => {
  const expression = sql`select ${'m'}, ${sql.raw(`'a' || 'b' || c`)} where ${'m'} = d`;
  expect(withOneParameter(expression, 'm')).toBe(`select $1, 'ab' || c where $1 = d`);
  expect(() => withOneParameter(sql`select ${'m'}, ${'other'}`, 'm')).toThrow('besides the merchant');
});
