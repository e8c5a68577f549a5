import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { columnsOf } from '../../db/sql/table-columns.ts';
import { type Referrer, referrers } from './referrers.ts';
import type { NamedId, RowContent } from './rules/rule.ts';
import { wrongCounts } from './wrong-counts.ts';

/** Rows in memory at a time. One row may have some hundred kilobytes of lists. */
const PAGE_ROWS = 200;

type ReadContext = MerchantContext;

/** An invalid member of a row, or, with `missing`, a reference to a missing record. */
export type Broken = { merchantId: string; table: string; id: string; member: string; missing: string | null };

/** The findings of one page of rows. */
export type CheckedRows = { rows: number; broken: Broken[] };

/** Checks all rows of a merchant with ids or JSON, and its stock counts, page by page. Includes deleted rows, which may be restored. */
export async function* findBroken(ctx: ReadContext): AsyncGenerator<CheckedRows> {
  for (const referrer of referrers) yield* brokenOf(ctx, referrer);
  yield* wrongCounts(ctx);
}

async function* brokenOf(ctx: ReadContext, referrer: Referrer): AsyncGenerator<CheckedRows> {
  for (let after = NO_ID; ;) {
    const texts = Object.keys(referrer.columns).map((name) => [name, column.nullable(column.text)] as const);
    const rows = await readRows(ctx, { ...Object.fromEntries(texts), id: column.text }, page(ctx, referrer, after));
    if (rows.length > 0) yield { rows: rows.length, broken: await brokenAmong(ctx, referrer, rows) };
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

/** The row's id, and each column as JSON text. As values, the driver would not distinguish SQL NULL from JSON null. */
type Row = { id: string } & Record<string, string | null>;

function page(ctx: ReadContext, { table, columns }: Referrer, after: string): SQL {
  const all = columnsOf(table);
  const texts = Object.keys(columns).map((name) => sql`to_json(${all[name]})::text as ${sql.identifier(name)}`);
  return sql`
    select ${table.id} as "id", ${sql.join(texts, sql`, `)} from ${table}
    where ${ownedBy(ctx, table)} and ${table.id} > ${after}::uuid order by ${table.id}
      limit ${sql.raw(String(PAGE_ROWS))}`;
}

async function brokenAmong(ctx: ReadContext, referrer: Referrer, rows: readonly Row[]): Promise<Broken[]> {
  const table = getTableName(referrer.table);
  const contents = rows.map((row) => ({ id: row.id, content: contentOf(referrer, row) }));
  const isThere = await lookUp(
    ctx,
    contents.flatMap(({ content }) => content.ids),
  );
  return contents.flatMap(({ id, content: { invalid, ids } }) => [
    ...[...invalid].map((member) => ({ merchantId: ctx.merchantId, table, id, member, missing: null })),
    ...ids
      .filter((named) => !isThere(named))
      .map(({ member, id: missing }) => ({ merchantId: ctx.merchantId, table, id, member, missing })),
  ]);
}

function contentOf({ table, columns }: Referrer, row: Row): RowContent {
  const all = columnsOf(table);
  const content: RowContent = { invalid: new Set(), ids: [] };
  const values = Object.fromEntries(
    Object.keys(columns).map((name) => [name, row[name] === null ? null : (JSON.parse(row[name]!) as unknown)]),
  );
  for (const [name, rule] of Object.entries(columns)) {
    if (row[name] !== null) rule(values[name], all[name]!.name, content, values);
  }
  return content;
}

/** Looks up the ids. Called after their rows were read, so that a record created before its reference is found. */
async function lookUp(ctx: ReadContext, ids: readonly NamedId[]): Promise<(named: NamedId) => boolean> {
  const byTable = [...Map.groupBy(ids, ({ target }) => target.table)];
  if (byTable.length === 0) return () => true;
  const parts = byTable.map(([table, named], index) => {
    const whole = named.find(({ target }) => target.whole)?.target.whole ?? sql`null::uuid`;
    return sql`
      select ${sql.raw(String(index))} as "index", ${table.id} as "id", ${whole} as "whole" from ${table}
      where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray([...new Set(named.map(({ id }) => id))])})`;
  });
  const found = await readRows(
    ctx,
    { index: column.number, id: column.text, whole: column.nullable(column.text) },
    sql.join(parts, sql` union all `),
  );
  const records = new Map(byTable.map(([table]) => [table, new Map<string, string | null>()]));
  for (const { index, id, whole } of found) records.get(byTable[index]![0])!.set(id, whole);
  return ({ target: { table }, id, whole }) =>
    records.get(table)!.has(id) && (whole === undefined || records.get(table)!.get(id) === whole);
}
