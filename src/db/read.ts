import { getTableName, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { isChangedSince, isSoonAfter, type Moment, MOMENT } from './changes.ts';
import { compiledRecord, compiledRecordWithMarks, type CompiledRecord, statementText } from './compile.ts';
import { withoutMarks } from './name-marks.ts';
import { pageRequest, type PageRequest, type Pagination } from './page.ts';
import { bytesMaxOf, type Line, lines, recordsOf } from './record-lines.ts';
import { type NamedRecord, type Reader, reader, REWRITE_MARK, type Selection, type Shape, type TenantTable } from './shape.ts';
import { behind, encodeCursor, type Order, orderBy } from './sort.ts';
import { render, Statement } from './statement.ts';
import { of, ofFirst, type Tenant } from './tenant.ts';
import { type Step, together } from './together.ts';

/** In a longer text names are not filled in: each may take twenty times the bytes of its mark. */
const MARKED_BYTES_MAX = 1024 * 1024;

type RecordTable = TenantTable & { id: AnyPgColumn };
type ReadContext = Pick<Context, 'db' | 'merchantId' | 'readCache' | 'answer' | 'beforeCommit'>;

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
  /** The JSON text of `data` with its bytes, where it is what GraphQL would make of the selection. */
  readonly json?: { readonly text: string; readonly bytes: number };
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
  const row = type.table;
  const matching = sql.join([of(ctx, row), ...where(row, reader(ctx, {}))], sql` and `);
  const found = render(request.after === null ? matching : sql`${matching} and ${behind(request.after, order, row.id)}`);
  const counted = selection.count && (request.after === null ? found : render(matching)).sql;
  const bytesMax = bytesMaxOf(ctx);
  const parts = { order, request, found: found.sql, counted, bytesMax, isEndSelected: selection.endCursor !== undefined };
  const plain = new Statement(pageText(type, compiled, parts), found.params);
  const marked = compiledRecordWithMarks(type, selection.data ?? {});
  const markedAt = (snapshot: string): Statement => {
    const parameters = [...found.params, snapshot];
    return new Statement(pageText(type, marked, { ...parts, snapshotAt: parameters.length }), parameters);
  };
  const read = async (): Promise<PageRow[]> => (await readMarked(ctx, marked.named, markedAt, bytesMax)) ?? [joined(await ctx.db.execute<LineOfPage>(plain))];
  const [answer] = await readRows<PageRow>(ctx, plain, read);
  ctx.answer?.read(answer!.bytes, bytesMax);
  return page(answer!, order, request, compiled);
}

/** The rows of a statement that reads and nothing else. Its first parameter is the merchant. `read` may get at the same rows in another way. */
export async function readRows<Row extends Record<string, unknown>>(ctx: ReadContext, statement: Statement, read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  return ctx.readCache ? await ctx.readCache.rows(ctx, statement, read) : await read();
}

/**
 * The page with names from dictionaries. The statement itself tells whether one has changed since: then, or where
 * they do not know a name, it is null, and names are read with their records.
 */
async function readMarked(ctx: ReadContext, named: readonly NamedRecord[], statement: (snapshot: string) => Statement, bytesMax: number): Promise<PageRow[] | null> {
  if (!ctx.readCache || named.length === 0) return null;
  const known = ctx.readCache.names.known(ctx, named.map(({ table }) => table));
  if (!known) return null;
  const found = await ctx.db.execute<LineOfPage & Moment & { renamed: boolean }>(statement(known.snapshot));
  const [first] = found;
  const row = joined(found);
  // A mark is shorter than the record that it stands for.
  if (row.bytes > bytesMax) return [row];
  if (row.bytes > MARKED_BYTES_MAX || first!.renamed || !isSoonAfter(known.moment, first!)) return null;
  const data = withoutMarks(row.data, named, known.names);
  return data === null ? null : [{ ...row, data, bytes: Buffer.byteLength(data) }];
}

type PageParts = {
  order: Order;
  request: PageRequest;
  /** Conditions on the rows of the page, and on those that are counted: the latter begin the former, with the same parameters. */
  found: string;
  counted: string | undefined;
  bytesMax: number;
  isEndSelected: boolean;
  /** The parameter with the snapshot of the dictionaries, where names are marks. */
  snapshotAt?: number;
};

function pageText<Type, Table extends RecordTable>(type: Shape<Type, Table>, compiled: CompiledRecord, parts: PageParts): string {
  const { order, request, found, counted, bytesMax, isEndSelected, snapshotAt } = parts;
  const key = JSON.stringify([found, counted, bytesMax, isEndSelected, snapshotAt, order.name, order.descending, request.limit, skipped(request)]);
  return statementText(compiled, key, () => {
    const last = (column: string): SQL => sql.raw(isEndSelected ? `(select hits.${column} from hits where hits.n <= ${request.limit} order by hits.n desc limit 1)` : 'null');
    const changed = snapshotAt === undefined ? [] : [
      { name: 'renamed', value: isChangedSince(sql.raw(`$${snapshotAt}`), compiled.named.map(({ table }) => getTableName(table))) },
      ...MOMENT,
    ];
    return sql`
      with hits as (${hits(type.table, sql.raw(found), order, request)})
      ${lines(type, compiled, request, bytesMax, [
        { name: 'count', value: counted === undefined ? sql.raw('0') : sql`(select count(*) from ${type.table} where ${sql.raw(counted)})::int` },
        { name: 'found', value: sql`(select count(*) from hits)::int` },
        { name: 'key', value: last('key') },
        { name: 'id', value: last('id') },
        ...changed,
      ])}`;
  });
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
  return await together(ctx, [], recordRead(ctx, type, id, selection));
}

type RecordContext = Tenant & Pick<Context, 'answer' | 'beforeCommit'>;

/** The step of `readRecord`. The record's text is not sent when it has more bytes than an answer may have. */
export function recordRead<Type, Table extends RecordTable>(ctx: RecordContext, type: Shape<Type, Table>, id: string, selection: Selection): Step<Type> {
  const compiled = compiledRecord(type, selection);
  const { table } = type;
  const bytesMax = ctx.answer?.maxBytes ?? Number.MAX_SAFE_INTEGER;
  const text = statementText(compiled, `record ${bytesMax}`, () => sql`
    select case when octet_length(data) <= ${sql.raw(String(bytesMax))} then data end as "data", octet_length(data) as "bytes"
    from (select ${compiled.sql} as data from ${table} where ${ofFirst(table)} and ${table.id} = ${sql.raw('$2')}::uuid offset 0) as record`);
  const read = (rows: readonly Record<string, unknown>[]): Type => {
    const { data, bytes } = rows[0] as { data: string; bytes: number };
    ctx.answer?.checkRead(bytes);
    const record = parseRecords(data) as Type;
    ctx.beforeCommit?.(record);
    return record;
  };
  return { statement: new Statement(text, [ctx.merchantId, id]), read };
}

type AboutPage = { count: number; found: number; key: string | null; id: string | null };
type LineOfPage = Line & AboutPage;
type PageRow = AboutPage & { data: string; bytes: number };

/** The rows of a page as one: the records as the text of an array, or as far as they were sent, and the bytes that all of them have. */
function joined<About extends Line>(found: readonly About[]): About & { data: string; bytes: number } {
  return { ...found[0]!, ...recordsOf(found) };
}

/** The ids of the page and one more, which tells whether there is a next page. */
function hits(row: RecordTable, conditions: SQL, order: Order, request: PageRequest): SQL {
  // Checked whole numbers in the text: as parameters they would have Postgres plan each call anew.
  const limits = sql.raw(`limit ${request.limit + 1}${skipped(request) > 0 ? ` offset ${skipped(request)}` : ''}`);
  // The text of a key is made outside: inside it would be made of every row that is skipped, and an index would not do.
  return sql`
    select page.id, ${order.key.text(sql`page.key`)} as key, (row_number() over ())::int as n from (
      select ${row.id} as id, ${order.key.key} as key
      from ${row} where ${conditions}
      order by ${orderBy(order, row.id)} ${limits}
    ) as page`;
}

function skipped({ after, page, limit }: PageRequest): number {
  return after === null ? (page - 1) * limit : 0;
}

function page<Type>(answer: PageRow, order: Order, { limit, page }: PageRequest, { isExact }: CompiledRecord): Page<Type> {
  const { key, id } = answer;
  const { data: text, bytes } = answer;
  let parsed: Type[] | undefined;
  return {
    count: answer.count,
    // Parsed only for those who look at the records: a text that is the answer already is passed on.
    get data() {
      return (parsed ??= parseRecords(text) as Type[]);
    },
    ...(isExact && { json: { text: text.includes(REWRITE_MARK) ? JSON.stringify(parseRecords(text)) : text, bytes } }),
    endCursor: key !== null && id !== null ? encodeCursor(order, key, id) : null,
    hasNext: answer.found > limit,
    limit,
    page,
  };
}

export function parseRecords(text: string): unknown {
  return JSON.parse(text.includes(REWRITE_MARK) ? text.replaceAll(REWRITE_MARK, '') : text);
}
