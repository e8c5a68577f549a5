import { getTableColumns, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { change, changePart } from '../../drizzle/change.ts';
import type { Context } from '../context.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import type { EarlierRows } from '../db/read/earlier-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { columnsOf } from '../db/sql/table-columns.ts';
import { invalidAt } from '../errors.ts';
import { mapInSlices, Pauses } from '../limits/event-loop-slices.ts';
import { LARGE_FROM_BYTES } from '../limits/response-size.ts';
import { type Members, parseExactly } from './parsed-members.ts';
import { isPartOfChange } from './part-of-change.ts';
import { columnOf, type RecordPart, recordParts } from './record-parts.ts';

/** More would need too much memory. A change has at most one part of each table of its record, so three of a product. */
const MAX_CHANGES = 20_000;
/**
 * Bytes of the present rows of all tables and of the later changes, of all fields of a request. In memory they take three
 * times as much.
 */
const MAX_BYTES = 16 * 1024 * 1024;
/** So many bytes are read without a slot for a large response. */
const MAX_SENT_BYTES = LARGE_FROM_BYTES;
const FEWER = 'ask for fewer records';

/** Those whose names and members earlier products and customers show. */
type ShownType = 'PRODUCT' | 'CUSTOMER' | 'PRODUCT_BRAND' | 'PRODUCT_TAG' | 'CATEGORY';

/** Rows by `rowKey`, as objects by the names of the columns. */
type Rows = Map<string, Members>;

export type RecordsAsOf = {
  readonly earlier: readonly EarlierRows[];
  /** The records' own rows. */
  readonly rows: readonly Members[];
};

/**
 * The rows of records as they were at a time, in milliseconds: the present rows, from which the later changes are taken
 * back, the last one first. Call it in a transaction that reads one snapshot, together with what reads the rows.
 */
export async function recordsAsOf(
  ctx: Context,
  recordType: ShownType,
  ids: readonly string[],
  at: string,
): Promise<RecordsAsOf> {
  // Of records that others name, only what is in their own rows is shown.
  const tables: readonly RecordPart[] =
    recordType === 'PRODUCT' ? recordParts.PRODUCT : recordParts[recordType].slice(0, 1);
  const states = new Map<string, Rows>();
  for (const part of tables) states.set(part.part, await presentRows(ctx, part, ids));
  const erased = takeErased(states.get('')!, at);
  const kept = ids.filter((id) => !erased.has(id));
  const pauses = new Pauses(ctx);
  for (const later of await laterParts(ctx, recordType, kept, at)) {
    if (pauses.isDue()) await pauses.take();
    const part = tables.find((candidate) => candidate.part === later.part);
    if (part) takeBack(ctx.merchantId, part, states.get(later.part)!, later);
  }
  const earlier: EarlierRows[] = [];
  for (const { part, table } of tables) {
    const rows = await mapInSlices(ctx, states.get(part)!.values(), (row) => JSON.stringify(row));
    earlier.push({ table, rows: `[${rows.join(',')}]` });
  }
  return { earlier, rows: [...states.get('')!.values()] };
}

/** The earlier rows of those of the records that have changed since. */
export async function changedSince(
  ctx: Context,
  recordType: ShownType,
  ids: readonly string[],
  at: string,
): Promise<EarlierRows[]> {
  if (ids.length === 0) return [];
  const changed = await readIds(
    ctx,
    sql`
    select distinct ${change.recordId} as "id" from ${change}
    where ${ownedBy(ctx, change)} and ${change.recordId} = any(${idArray(ids)})
      and ${change.recordType} = ${recordType} and ${change.createdAt} > ${at}`,
  );
  if (changed.length === 0) return [];
  const { earlier } = await recordsAsOf(ctx, recordType, changed, at);
  return earlier.map((rows) => ({ ...rows, replaced: changed }));
}

async function presentRows(ctx: Context, part: RecordPart, ids: readonly string[]): Promise<Rows> {
  let rows = await sentRows(ctx, part, ids, MAX_SENT_BYTES);
  hold(ctx, rows[0]?.bytes ?? 0);
  if (rows.some(({ row }) => row === null)) rows = await sentRows(ctx, part, ids, MAX_BYTES);
  const entries = await mapInSlices(ctx, rows, ({ id, recordId, row }) => {
    return [rowKey(recordId, id), parseExactly(row!)] as const;
  });
  return new Map(entries);
}

/** Refuses more than MAX_BYTES. Fails if the request needs a slot for a large response and none is free. */
function hold({ responseSize }: Context, bytes: number): void {
  const heldBytes = bytes > MAX_BYTES ? bytes : (responseSize?.hold(bytes) ?? bytes);
  if (heldBytes > MAX_BYTES)
    throw refused(`asks for records that have more than ${MAX_BYTES} bytes with their later changes: ${FEWER}`);
}

type SentRow = { id: string; recordId: string; bytes: number; row: string | null };

/** If all rows together have more than `maxBytes`, PostgreSQL sends null in place of each row. */
async function sentRows(
  ctx: Context,
  { table, of }: RecordPart,
  ids: readonly string[],
  maxBytes: number,
): Promise<SentRow[]> {
  const recordId = columnsOf(table)[of]!;
  return await readRows(
    ctx,
    { id: column.text, recordId: column.text, bytes: column.number, row: column.nullable(column.text) },
    sql`
    with own as materialized (
      select ${table.id} as id, ${recordId} as record_id, row_to_json(${table})::text as row
      from ${table} where ${ownedBy(ctx, table)} and ${recordId} = any(${idArray(ids)})
    )
    select sized.id as "id", sized.record_id as "recordId", sized.bytes::float8 as "bytes",
      case when sized.bytes <= ${maxBytes}::bigint then sized.row end as "row"
    from (select own.*, sum(octet_length(own.row)) over () as bytes from own) as sized`,
  );
}

/** With the record: plain SQL can move a part from one record to another, and both may be asked for. */
function rowKey(recordId: string, id: string): string {
  return `${recordId} ${id}`;
}

/** Erased customers have no earlier states: they are shown as they are now. Returns their ids. */
function takeErased(rows: Rows, at: string): ReadonlySet<string> {
  const erased = [...rows].filter(([, row]) => typeof row['erasure_id'] === 'string');
  for (const [key, row] of erased) if (Date.parse(String(row['created_at'])) > Date.parse(at)) rows.delete(key);
  return new Set(erased.map(([, row]) => String(row['id'])));
}

type LaterPart = { recordId: string; part: string; before: string | null; after: string | null; truncated: boolean };

async function laterParts(
  ctx: Context,
  recordType: ShownType,
  ids: readonly string[],
  at: string,
): Promise<LaterPart[]> {
  const isLater = sql`${ownedBy(ctx, change)} and ${change.recordId} = any(${idArray(ids)})
      and ${change.recordType} = ${recordType} and ${change.createdAt} > ${at}`;
  const [later] = await readRows(
    ctx,
    { changes: column.number, bytes: column.number },
    sql`
    select count(*)::int as "changes", coalesce(sum(${change.bytes}), 0)::float8 as "bytes"
    from ${change} where ${isLater}`,
  );
  if (later!.changes > MAX_CHANGES)
    throw refused(`has more than ${MAX_CHANGES} later changes of these records: ${FEWER}`);
  hold(ctx, later!.bytes);
  const parts = await readRows(
    ctx,
    {
      recordId: column.text,
      part: column.text,
      before: column.nullable(column.text),
      after: column.nullable(column.text),
      truncated: column.boolean,
    },
    sql`
    select ${change.recordId} as "recordId", ${changePart.part} as "part", ${changePart.before}::text as "before",
      ${changePart.after}::text as "after", ${changePart.truncated} as "truncated"
    from ${change}
    join ${changePart} on ${isPartOfChange(ctx, changePart, change)}
    where ${isLater}
    order by ${change.id} desc, ${changePart.statement} desc`,
  );
  const truncated = parts.find((part) => part.truncated);
  if (truncated) throw refused(`is before a change of ${truncated.recordId} whose values are not kept`);
  return parts;
}

export function refused(message: string): Error {
  return invalidAt(['asOf'], message);
}

function takeBack(
  merchantId: string,
  { part, table, of, constant = {} }: RecordPart,
  rows: Rows,
  later: LaterPart,
): void {
  const [before, after] = [later.before, later.after].map((text) => (text === null ? {} : parseExactly(text)));
  const sides = (side: Members): Members => (part === '' ? { [later.recordId]: side } : side);
  const [befores, afters] = [sides(before!), sides(after!)];
  for (const id of new Set([...Object.keys(befores), ...Object.keys(afters)])) {
    const former = (befores[id] ?? {}) as Members;
    const wasCreated = !('createdAt' in former) && 'createdAt' in ((afters[id] ?? {}) as Members);
    const key = rowKey(later.recordId, id);
    if (wasCreated) rows.delete(key);
    else {
      const row =
        rows.get(key) ??
        removedRow(table, {
          merchant_id: merchantId,
          ...namedByColumns(table, { ...constant, id, [of]: later.recordId }),
        });
      rows.set(key, withColumns(table, row, former));
    }
  }
}

/** A row that was removed, with the columns that its change does not name because they were empty. */
function removedRow(table: RecordPart['table'], named: Members): Members {
  const empty = Object.values(getTableColumns(table) as Record<string, AnyPgColumn>).filter(
    (own) => own.notNull && own.getSQLType().endsWith('[]'),
  );
  return { ...Object.fromEntries(empty.map((own) => [own.name, []])), ...named };
}

function namedByColumns(table: RecordPart['table'], members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [columnsOf(table)[name]!.name, value]));
}

function withColumns(table: RecordPart['table'], row: Members, members: Members): Members {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const changed = Object.entries(members).map(([name, value]) => {
    const own = columns[columnOf(name)]!;
    const isTime = own.getSQLType().startsWith('timestamp') && value !== null;
    return [own.name, isTime ? new Date(Number(JSON.stringify(value))).toISOString() : value];
  });
  return withFullName({ ...row, ...Object.fromEntries(changed) });
}

/** The only generated column that is read. */
function withFullName(row: Members): Members {
  if (!('first_name' in row)) return row;
  const names = [row['first_name'], row['last_name'] || null].filter((name) => typeof name === 'string');
  return { ...row, full_name: names.join(' ') };
}
