import { aliasedTable, and, eq, inArray, param, type SQL, sql } from 'drizzle-orm';
import { alias, PgDialect, pgSchema, text } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { merchant, product } from '../../../drizzle/index.ts';
import { dialect } from '../../../src/db/connection/dialect.ts';
import { CompiledStatement } from '../../../src/db/sql/compiled-statement.ts';

const elsewhere = pgSchema('else"where').table('ta"ble', { id: text('i"d') });
const other = aliasedTable(product, 'other');

const statements: Record<string, SQL> = {
  'a text': sql`select 1`,
  nothing: sql``,
  'raw texts': sql`${sql.raw('select')} ${sql.raw('$1')}`,
  'tables and columns': sql`select ${product.merchantId}, ${product.createdAt} from ${product}`,
  'an alias': sql`select ${other.id} from ${product} ${other}, ${alias(merchant, 'm"n')}`,
  'a table of another schema': sql`select ${elsewhere.id} from ${elsewhere}`,
  'names with quotes': sql`select ${sql.identifier('a"b')}`,
  'values of all kinds': sql`select ${'a'}, ${''}, ${1}, ${-0.5}, ${true}, ${false}, ${null}`,
  'values that are objects': sql`select ${new Date(0)}, ${Buffer.from('a')}, ${1n}`,
  'an empty piece': sql`select ${undefined} ${'a'}`,
  lists: sql`select ${'a'} in ${['b', 'c']}, ${[]}`,
  'a text in pieces': sql.join([sql`a = ${1}`, sql`b = ${2}`, sql.raw('c')], sql` and `),
  'pieces in pieces': sql`with a as (${sql`select ${'x'} where ${and(sql`a = ${1}`, sql`b = ${2}`)}`}) select ${'y'}`,
  'encoded values': sql`${eq(product.id, 'a')} and ${inArray(product.type, ['PHYSICAL'])} and ${param(5, product.maxQuantityPerCart)}`,
  'values in the text': sql`select ${sql`${"a'b"}`.inlineParams()}, ${'c'}`,
  'aliased pieces': sql`select ${sql`now()`.as('at')}`,
  'a placeholder': sql`select ${sql.placeholder('x')}, ${'y'}`,
  'a text that is known': new CompiledStatement('select $1', ['a']),
};

describe('a statement has the text and values that Drizzle gives it', () => {
  const theirs = new PgDialect();

  it.each(Object.entries(statements))('of %s', (_, statement) => {
    const expected = theirs.sqlToQuery(statement);
    for (let time = 0; time < 2; time++)
      expect(dialect.sqlToQuery(statement)).toMatchObject({ sql: expected.sql, params: expected.params });
  });

  it('without a table name before its columns, as for an index', () => {
    expect(dialect.sqlToQuery(sql`${product.id} = ${1}`, 'indexes').sql).toBe('"id" = $1');
  });
});
