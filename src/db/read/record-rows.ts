import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import type { CompiledProjection } from './compile.ts';
import { PAGE, type TenantTable } from './projection.ts';

/** A row of the statement. `data` is null where it was not sent because of its bytes. */
export type RecordRow = { data: string | null; bytes: number };

/** Texts of records are sent up to so many bytes of one statement; the rest is counted. */
export function maxSentBytes({ responseSize }: Pick<Context, 'responseSize'>): number {
  return responseSize?.maxSentBytes ?? Number.MAX_SAFE_INTEGER;
}

/** What a statement tells about its page besides the records: a name, and SQL that yields JSON text and never NULL. */
export type HeaderMember = { name: string; sql: SQL };

/** The columns of a row that the page needs: without the others, as its texts, a page takes a tenth less of Postgres' time. */
export function pageColumns(row: TenantTable, { columns }: CompiledProjection): SQL {
  const names = [...new Set(['id', ...columns])].filter((name) =>
    Object.values(getTableColumns(row)).some((column) => column.name === name),
  );
  return sql.join(
    names.map((name) => sql`${row}.${sql.identifier(name)}`),
    sql`, `,
  );
}

/**
 * A row with the JSON of what is told about the page, one for each text that its records share, and then one for each record of the
 * statement's `page`, which has the rows of the page in their order and one more where there is a next page. Each record has a row
 * of its own, so that Postgres holds one text at a time; once the texts are over `bytesMax` they are counted and no longer sent. The
 * statement's first parameter is the merchant. Rows come in this order: neither part is parallel-safe, as both read `page`.
 */
export function recordRows(
  compiled: CompiledProjection,
  limit: number,
  bytesMax: number,
  about: readonly HeaderMember[],
): SQL {
  const max = sql.raw(String(bytesMax));
  const members = sql.join(
    about.map(({ name, sql: value }) => sql`${sql.raw(`'"${name}":' ||`)} ${value}`),
    sql.raw(` || ',' || `),
  );
  const first = about.length === 0 ? sql.raw(`'{}'`) : sql`'{' || ${members} || '}'`;
  const shared = compiled.shared.map(
    (text) => sql`
    union all select case when octet_length(data) <= ${max} then data end, octet_length(data) from (select ${text} as data offset 0) as shared`,
  );
  return sql`
    select ${first} as "data", 0 as "bytes"${sql.join(shared, sql``)}
    union all
    select case when sum(octet_length(data)) over (rows unbounded preceding) <= ${max} then data end, octet_length(data)
    from (select ${compiled.sql} as data from ${sql.identifier(PAGE)} limit ${sql.raw(String(limit))} offset 0) as record`;
}
