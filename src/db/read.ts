import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { compiledRecord, type CompiledRecord } from './compile.ts';
import { pageRequest, type PageRequest, type Pagination } from './page.ts';
import { type Reader, reader, REWRITE_MARK, type Selection, type Shape, type TenantTable } from './shape.ts';
import { behind, encodeCursor, type Order, orderBy } from './sort.ts';
import { of } from './tenant.ts';

type RecordTable = TenantTable & { id: AnyPgColumn };
type ReadContext = Pick<Context, 'db' | 'merchantId'>;

export type ListRequest<Table> = {
  selection: Selection;
  pagination: Pagination | null | undefined;
  order: Order;
  /** Conditions on the table's row; the merchant's own condition is added before them. */
  where: (row: Table, read: Reader) => SQL[];
};

export type Page<Type> = {
  count: number;
  readonly data: Type[];
  /** The JSON text of `data`, where it is what GraphQL would make of the selection. */
  readonly json?: string;
  endCursor: string | null;
  hasNext: boolean;
  limit: number;
  page: number;
};

/** One page of records, with what the selection asks of the page itself, in one statement. Its first parameter is the merchant. */
export async function readPage<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Shape<Type, Table>,
  { selection, pagination, order, where }: ListRequest<Table>,
): Promise<Page<Type>> {
  const request = pageRequest(pagination);
  const compiled = compiledRecord(type, selection.data ?? {});
  const read = reader(ctx, {});
  const row = type.table;
  const conditions = [of(ctx, row), ...where(row, read)];
  const counted = selection.count
    ? sql`(select count(*) from ${row} where ${sql.join(conditions, sql` and `)})::int`
    : sql.raw('0');
  const [answer] = await ctx.db.execute<PageRow>(sql`
    with hits as (${hits(row, conditions, order, request)})
    select ${counted} as "count",
      (${records(ctx, type, compiled, request)}) as "data",
      (select count(*) from hits)::int as "found",
      (select hits.key from hits where hits.n = ${sql.raw(String(request.limit))}) as "key",
      (select hits.id from hits where hits.n = ${sql.raw(String(request.limit))}) as "id",
      (select hits.key from hits order by hits.n desc limit 1) as "lastKey",
      (select hits.id from hits order by hits.n desc limit 1) as "lastId"`);
  return page(answer!, order, request, compiled);
}

/** The records of a list that is answered without a page around it. */
export async function readList<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Shape<Type, Table>,
  request: ListRequest<Table>,
): Promise<Type[]> {
  const { data } = await readPage(ctx, type, { ...request, selection: { data: request.selection } });
  return data;
}

/** One record by its id, deleted or not. */
export async function readRecord<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Shape<Type, Table>,
  id: string,
  selection: Selection,
): Promise<Type> {
  const [answer] = await ctx.db.execute<{ data: string }>(sql`
    select ${compiledRecord(type, selection).sql} as "data" from ${type.table}
    where ${of(ctx, type.table)} and ${type.table.id} = ${id}::uuid`);
  return parseRecords(answer!.data) as Type;
}

type PageRow = {
  count: number;
  data: string | null;
  found: number;
  key: string | null;
  id: string | null;
  lastKey: string | null;
  lastId: string | null;
};

/** The ids of the page and one more, which tells whether there is a next page. */
function hits(row: RecordTable, conditions: SQL[], order: Order, request: PageRequest): SQL {
  const place = request.after === null ? [] : [behind(request.after, order, row.id)];
  const skipped = request.after === null ? (request.page - 1) * request.limit : 0;
  // A checked whole number in the text: as a parameter it would have Postgres plan each call anew.
  const offset = skipped > 0 ? sql.raw(` offset ${skipped}`) : sql``;
  // The text of a key is made outside: inside it would be made of every row that is skipped, and an index would not do.
  return sql`
    select page.id, ${order.key.text(sql`page.key`)} as key, row_number() over () as n from (
      select ${row.id} as id, ${order.key.key} as key
      from ${row} where ${sql.join([...conditions, ...place], sql` and `)}
      order by ${orderBy(order, row.id)} limit ${sql.raw(String(request.limit + 1))}${offset}
    ) as page`;
}

/** The records of the statement's `hits`, a row `(id, n)` for each and one for the next page, as JSON text in the order of `n`. */
export function records<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Shape<Type, Table>,
  compiled: CompiledRecord,
  request: PageRequest,
): SQL {
  const row = type.table;
  return sql`
    select '[' || string_agg(${compiled.sql}, ',' order by hits.n) || ']'
    from hits join ${row} on ${of(ctx, row)} and ${row.id} = hits.id
    where hits.n <= ${sql.raw(String(request.limit))}`;
}

function page<Type>(answer: PageRow, order: Order, { limit, page }: PageRequest, { isExact }: CompiledRecord): Page<Type> {
  const hasNext = answer.found > limit;
  const key = hasNext ? answer.key : answer.lastKey;
  const id = hasNext ? answer.id : answer.lastId;
  const text = answer.data ?? '[]';
  let parsed: Type[] | undefined;
  return {
    count: answer.count,
    // Parsed only for those who look at the records: a text that is the answer already is passed on.
    get data() {
      return (parsed ??= parseRecords(text) as Type[]);
    },
    ...(isExact && { json: text.includes(REWRITE_MARK) ? JSON.stringify(parseRecords(text)) : text }),
    endCursor: key !== null && id !== null ? encodeCursor(order, key, id) : null,
    hasNext,
    limit,
    page,
  };
}

export function parseRecords(text: string): unknown {
  return JSON.parse(text.includes(REWRITE_MARK) ? text.replaceAll(REWRITE_MARK, '') : text);
}
