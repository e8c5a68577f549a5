import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { CompiledRecord } from './compile.ts';
import { PAGE } from './shape.ts';

/** A row of the statement: first one about the whole page, then one for each record. */
export type Line = { n: number; data: string | null; bytes: number };

/** Texts of records are sent up to so many bytes of one statement; the rest is counted. */
export function bytesMaxOf({ answer }: Pick<Context, 'answer'>): number {
  return answer?.sentBytesMax ?? Number.MAX_SAFE_INTEGER;
}

/** What a statement tells about its page besides the records: a name, and SQL that yields JSON text and never NULL. */
export type About = { name: string; sql: SQL };

/**
 * A row with the JSON of what is told about the page, then one for each record of the statement's `page`, which has the rows of
 * the page in their order and one more where there is a next page. Each record has a row of its own, so that Postgres holds one
 * text at a time; once the texts are over `bytesMax` they are counted and no longer sent. The statement's first parameter is
 * the merchant.
 */
export function lines(compiled: CompiledRecord, limit: number, bytesMax: number, about: readonly About[]): SQL {
  const shared = sql.join(compiled.shared.map((expression) => expression.sql), sql.raw(` || ',' || `));
  const all = [...about, { name: 'shared', sql: compiled.shared.length === 0 ? sql.raw(`'[]'`) : sql`'[' || ${shared} || ']'` }];
  const members = all.map(({ name, sql: value }) => sql`${sql.raw(`'"${name}":' ||`)} ${value}`);
  return sql`
    select 0 as "n", '{' || ${sql.join(members, sql.raw(` || ',' || `))} || '}' as "data", 0 as "bytes"
    union all
    select n, case when sum(octet_length(data)) over (order by n rows unbounded preceding) <= ${sql.raw(String(bytesMax))} then data end, octet_length(data)
    from (
      select (row_number() over ())::int as n, ${compiled.sql} as data from ${sql.identifier(PAGE)} limit ${sql.raw(String(limit))} offset 0
    ) as record`;
}

/** What the first row says, and the texts of the records as far as they were sent, with the bytes that all of them have. */
export function recordsOf<About>(lines: readonly Line[]): { about: About & { shared: unknown[] }; texts: string[]; bytes: number } {
  const [first, ...records] = lines;
  const texts: string[] = [];
  let bytes = 2;
  for (const { data, bytes: own } of records) {
    bytes += own + 1;
    if (data !== null) texts.push(data);
  }
  return { about: JSON.parse(first!.data!) as About & { shared: unknown[] }, texts, bytes: Math.max(2, bytes - 1) };
}
