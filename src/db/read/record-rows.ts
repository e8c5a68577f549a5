import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CompiledProjection } from './compile.ts';
import { PAGE, type TenantTable } from './projection.ts';

/** A member of the header row: a name, and SQL that returns JSON text and never NULL. */
export type HeaderMember = { name: string; sql: SQL };

/** The columns that the page needs. Leaving out the others, such as long texts, saves a tenth of Postgres' time. */
export function pageColumns(row: TenantTable, { columns }: CompiledProjection): SQL {
  const names = [...new Set(['id', ...columns])].filter((name) =>
    Object.values(getTableColumns(row)).some((column) => column.name === name),
  );
  return sql.join(
    names.map((name) => sql`${row}.${sql.identifier(name)}`),
    sql`, `,
  );
}

/** The row of the only record, if nothing is read beside it. `found` selects the columns of the page. */
export function singleRow(compiled: CompiledProjection, found: SQL, bytesMax: number): SQL {
  return sql`
    select case when octet_length(data) <= ${sql.raw(String(bytesMax))} then data end as "data", octet_length(data) as "bytes"
    from (select ${compiled.sql} as data from (${found}) as ${sql.identifier(PAGE)} offset 0) as record`;
}

/**
 * Selects the header row, unless `about` is empty, then one row per shared text, then one row per record of the CTE `page`.
 * The CTE has the rows of the page in order, and one more if there is a next page. With one row per record, Postgres
 * holds one text at a time; once their sum exceeds `bytesMax`, texts are counted and not sent. The first parameter of the
 * statement is the merchant. The order is that of UNION ALL: no branch is parallel-safe, because each reads `page`.
 */
export function recordRows(
  compiled: CompiledProjection,
  limit: number,
  bytesMax: number,
  about: readonly HeaderMember[],
): SQL {
  const max = sql.raw(String(bytesMax));
  const shared = compiled.shared.map(
    (text) => sql`
    select case when octet_length(data) <= ${max} then data end as "data", octet_length(data) as "bytes"
    from (select ${text} as data offset 0) as shared`,
  );
  const records = sql`
    select case when sum(octet_length(data)) over (rows unbounded preceding) <= ${max} then data end as "data",
      octet_length(data) as "bytes"
    from (select ${compiled.sql} as data from ${sql.identifier(PAGE)} limit ${sql.raw(String(limit))} offset 0) as record`;
  return sql.join([...(about.length > 0 ? [header(about)] : []), ...shared, records], sql` union all `);
}

function header(about: readonly HeaderMember[]): SQL {
  const members = sql.join(
    about.map(({ name, sql: value }) => sql`${sql.raw(`'"${name}":' ||`)} ${value}`),
    sql.raw(` || ',' || `),
  );
  return sql`select '{' || ${members} || '}' as "data", 0 as "bytes"`;
}
