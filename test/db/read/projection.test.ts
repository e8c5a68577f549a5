import { sql } from 'drizzle-orm';
import { boolean, customType, doublePrecision, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { amount, document, id, instant, merchantId } from '../../../drizzle/columns.ts';
import { jsonObject } from '../../../src/db/read/json-object.ts';
import { projection, type Selection, sqlScope } from '../../../src/db/read/projection.ts';
import { render } from '../../../src/db/sql/compiled-statement.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

const thing = pgTable('thing', {
  merchantId: merchantId(),
  id: id(),
  ownerId: uuid('owner_id'),
  name: text('name').notNull(),
  note: text('note'),
  kind: text('kind', { enum: ['SMALL', 'LARGE'] }).notNull(),
  count: integer('count').notNull(),
  isOpen: boolean('is_open').notNull(),
  price: amount('price').notNull(),
  soldAt: instant('sold_at').notNull(),
  tags: text('tags').array(),
  sizes: document<{ width: number }>('sizes'),
  words: tsvector('words'),
  ratio: doublePrecision('ratio').notNull(),
});

type Plain = {
  __typename?: 'Thing';
  id: string;
  ownerId?: string | null;
  name: string;
  note?: string | null;
  kind: 'SMALL' | 'LARGE';
  count: number;
  isOpen: boolean;
  price: number;
  soldAt: number;
  tags?: string[] | null;
  sizes?: { __typename?: 'Sizes'; width: number } | null;
};

const compiled = (type: { table: typeof thing; fields: object }, selection: Selection): string =>
  render(jsonObject(sqlScope({ merchantId: 'own' }, selection), type, thing)).sql;

describe('projection', () => {
  it('reads columns with the names of fields', () => {
    const type = projection<Plain>()(thing, {});
    expect(compiled(type, { id: {}, note: {}, kind: {}, soldAt: {} })).toBe(
      `'{' || '"id":' || '"' || "thing"."id" || '"'` +
        ` || ',' || '"note":' || coalesce(to_json("thing"."note")::text, 'null')` +
        ` || ',' || '"kind":' || '"' || "thing"."kind" || '"'` +
        ` || ',' || '"soldAt":' || (date_part('epoch', "thing"."sold_at") * 1000)::bigint::text || '}'`,
    );
  });

  it('uses the given expression instead of the column', () => {
    const type = projection<Plain>()(thing, { note: () => ({ sql: sql`to_json('own'::text)` }) });
    expect(compiled(type, { note: {} })).toBe(`'{' || '"note":' || to_json('own'::text) || '}'`);
  });

  it('reads the selected members of a stored document', () => {
    const type = projection<Plain>()(thing, {});
    expect(compiled(type, { sizes: {} })).toBe(`'{' || '"sizes":' || coalesce("thing"."sizes"::text, 'null') || '}'`);
    expect(compiled(type, { sizes: { width: {} } })).toContain('\u0002');
  });

  it('reads no column whose value an expression must convert', () => {
    const type = { table: thing, fields: {} };
    expect(compiled(type, { unknown: {} })).toBe(`'{}'`);
    for (const name of ['words', 'ratio'])
      expect(() => compiled(type, { [name]: {} })).toThrow(`The column ${name} has a type that needs an expression.`);
  });

  it('requires an expression for every field that is not a fitting column', () => {
    // @ts-expect-error: there is no such column.
    projection<{ stock: number }>()(thing, {});
    // @ts-expect-error: the column may be null.
    projection<{ note: string }>()(thing, {});
    // @ts-expect-error: the column is a text.
    projection<{ name: number }>()(thing, {});
    // @ts-expect-error: the column has another value.
    projection<{ kind: 'SMALL' }>()(thing, {});
    // @ts-expect-error: Drizzle reads instants as texts, and fields are numbers.
    projection<{ soldAt: string }>()(thing, {});
    // @ts-expect-error: the stored document may be null.
    projection<{ sizes: { width: number } }>()(thing, {});
    // @ts-expect-error: the stored document has another shape.
    projection<{ sizes?: { width: string } | null }>()(thing, {});
    // @ts-expect-error: binary floats need an expression.
    projection<{ ratio: number }>()(thing, {});
    // @ts-expect-error: no field of the type.
    projection<Plain>()(thing, { other: () => ({ sql: sql`1` }) });
    expect(projection<Plain>()(thing, {}).fields).toEqual({});
  });
});
