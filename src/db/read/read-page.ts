import { getTableName, type Query, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { unprepared } from '../connection/prepared-statements.ts';
import { CompiledStatement, render } from '../sql/compiled-statement.ts';
import { ownedBy, ownedByFirstParameter, type Tenant } from '../sql/parameter.ts';
import { compiledProjection, type CompiledProjection, statementText } from './compile.ts';
import { completedRecords, maxSentBytes, type ReadContext, readRecordRows, type Records } from './complete-records.ts';
import { type EarlierRows, readingEarlierRows } from './earlier-rows.ts';
import {
  afterCursor,
  encodeCursor,
  type Order,
  orderBy,
  pageRequest,
  type PageRequest,
  type Pagination,
} from './pagination.ts';
import {
  PAGE,
  type SqlScope,
  sqlScope,
  type Selection,
  type Projection,
  type RecordTable,
  type TenantTable,
} from './projection.ts';
import { type HeaderMember, pageColumns, recordRows, singleRow } from './record-rows.ts';

/** Comments in the place of `PageParts.found` and `PageParts.counted`, in texts that are kept without values. */
const FOUND = '/* conditions of the page */';
const COUNTED = '/* conditions of the count */';

export type ListRequest<Table> = {
  selection: Selection;
  pagination: Pagination | null | undefined;
  order: Order;
  /** Returns the conditions on the rows of the list. `readPage` adds the merchant's condition before them. */
  where: (row: Table, scope: SqlScope) => SQL[];
  /**
   * A table with the ids of the records in the order of the list. Conditions, order and count then apply to its rows.
   */
  index?: Index;
  /** Whether the conditions name the id of one record. */
  isSingle?: boolean;
  /** Rows that the statement reads in place of those of tables. */
  earlier?: readonly EarlierRows[];
  /** Plans the statement for this merchant and the literals in its conditions, on every call. */
  isPlannedForValues?: boolean;
};

type Index = { table: TenantTable; id: AnyPgColumn };

export type Page<Type> = {
  count: number;
  readonly data: Type[];
  /** The JSON text of `data` as the answer contains it, and its length in bytes. */
  readonly json: { readonly text: string; readonly bytes: number };
  endCursor: string | null;
  hasNext: boolean;
  limit: number;
  page: number;
};

/**
 * Reads one page, and what is selected of the page itself, in one statement. Its first parameter is the merchant. What is
 * not selected of the page, such as `hasNext`, need not be true.
 */
export async function readPage<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  {
    selection,
    pagination,
    order,
    where,
    index = { table: type.table, id: type.table.id },
    isSingle = false,
    earlier,
    isPlannedForValues = false,
  }: ListRequest<Table>,
): Promise<Page<Type>> {
  const request = pageRequest(pagination);
  const compiled = compiledProjection(ctx, type, selection.data ?? {}, isSingle);
  const isFirst = request.after === null && request.page === 1;
  const isAlone = isSingle && isFirst && compiled.shared.length === 0 && !selection.endCursor;
  const hasHeader = !isAlone && Boolean(selection.count ?? selection.hasNext ?? selection.endCursor);
  const tenant: Tenant = { merchantId: ctx.merchantId, isLiteral: isPlannedForValues };
  const matching = where(type.table, sqlScope(tenant, {}));
  const list = getTableName(type.table);
  const isLater = request.after !== null;
  const shown = isLater ? [...matching, afterCursor(request.after!, list, order, index.id)] : matching;
  const rendered = (conditions: readonly SQL[]): Query =>
    render(sql.join([ownedBy(tenant, index.table), ...conditions], sql` and `));
  const found = rendered(shown);
  const counted = selection.count && (isLater ? rendered(matching) : found).sql;
  const parts = {
    index,
    order,
    request,
    found: found.sql,
    counted,
    bytesMax: maxSentBytes(ctx),
    isEndSelected: selection.endCursor !== undefined,
    isAlone,
    hasHeader,
    isPlannedForValues,
  };
  const present = { text: pageText(type, compiled, parts), parameters: found.params };
  const { text, parameters } = earlier ? readingEarlierRows(present, earlier) : present;
  const rows = await readRecordRows(ctx, new CompiledStatement(text, parameters));
  const about: PageHeader = hasHeader
    ? JSON.parse(rows[0]!.data!)
    : { count: rows.length, found: rows.length, end: null };
  const endCursor = about.end && encodeCursor(list, order, ...about.end);
  const sent = { rows, first: hasHeader ? 1 : 0 };
  return page(about, await completedRecords<Type>(ctx, compiled, sent, parts.bytesMax), endCursor, request);
}

type PageParts = {
  index: Index;
  order: Order;
  request: PageRequest;
  /**
   * `found`: conditions of the page. `counted`: conditions of the count, a prefix of `found` with the same
   * parameters.
   */
  found: string;
  counted: string | undefined;
  bytesMax: number;
  isEndSelected: boolean;
  /** Whether the statement reads one record and nothing else. */
  isAlone: boolean;
  /** Whether the statement sends a header row, because something about the page is selected. */
  hasHeader: boolean;
  isPlannedForValues: boolean;
};

/**
 * A statement that is planned for values has them in its conditions, up to 0.9 MB of ids. Its text is kept without the
 * conditions: with them, a cached document of 24 lists held 154 MB, of which the document cache knows nothing.
 */
function pageText<Type, Table extends RecordTable>(
  type: Projection<Type, Table>,
  compiled: CompiledProjection,
  parts: PageParts,
): string {
  const { found, counted } = parts;
  if (!parts.isPlannedForValues) return keptText(type, compiled, parts);
  const text = keptText(type, compiled, { ...parts, found: FOUND, counted: counted && COUNTED });
  return unprepared(text.replace(COUNTED, () => counted!).replace(FOUND, () => found));
}

function keptText<Type, Table extends RecordTable>(
  type: Projection<Type, Table>,
  compiled: CompiledProjection,
  parts: PageParts,
): string {
  const { index, order, request, found, counted, bytesMax, isEndSelected, isAlone, hasHeader } = parts;
  const { name, descending } = order;
  // `counted` is a prefix of `found`.
  const key = `${getTableName(index.table)} ${name} ${descending} ${request.limit} ${skipped(request)} ${bytesMax} ${isEndSelected} ${isAlone} ${hasHeader} ${counted?.length} ${found}`;
  return statementText(compiled, key, () => {
    if (isAlone) {
      const record = sql`select ${pageColumns(type.table, compiled)} from ${type.table} where ${sql.raw(found)} limit 1`;
      return singleRow(compiled, record, bytesMax);
    }
    return sql`
      with ${sql.raw(PAGE)} as materialized (${pageRows(type.table, compiled, { ...parts, found: sql.raw(found) })})
      ${recordRows(compiled, request.limit, bytesMax, hasHeader ? pageHeader(parts) : [])}`;
  });
}

function pageHeader({ index, order, request, counted, isEndSelected }: PageParts): HeaderMember[] {
  const count = sql`(select count(*) from ${index.table} where ${sql.raw(counted ?? '')})::text`;
  return [
    { name: 'count', sql: counted === undefined ? sql.raw(`'0'`) : count },
    { name: 'found', sql: sql`(select count(*) from ${sql.raw(PAGE)})::text` },
    { name: 'end', sql: isEndSelected ? endOfPage(order, request) : sql.raw(`'null'`) },
  ];
}

/** Sort key and id of the last row of the page. */
function endOfPage(order: Order, { limit }: PageRequest): SQL {
  const rows = sql`select *, row_number() over () as n from ${sql.raw(PAGE)} limit ${sql.raw(String(limit))}`;
  const end = sql`json_build_array(${order.key.text(sql.raw('shown.sort_key'))}, shown.id)::text`;
  return sql`coalesce((select ${end} from (${rows}) as shown order by shown.n desc limit 1), 'null')`;
}

/** Reads a list that has no page around it. */
export async function readList<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  request: ListRequest<Table>,
): Promise<Type[]> {
  const { data } = await readPage(ctx, type, { ...request, selection: { data: request.selection } });
  return data;
}

/** `end`: sort key and id of the last row, if selected. */
type PageHeader = { count: number; found: number; end: [string, string] | null };

type PageRows = Pick<PageParts, 'index' | 'order' | 'request'> & { found: SQL };

/** The rows of the page, and one more that shows whether there is a next page. */
function pageRows(row: RecordTable, compiled: CompiledProjection, { index, order, request, found }: PageRows): SQL {
  const { key } = order.key;
  const columns = pageColumns(row, compiled);
  // Validated integers as literals. As parameters they would prevent a generic plan.
  const limit = sql.raw(`limit ${request.limit + 1}`);
  const ordered = sql`from ${index.table} where ${found} order by ${orderBy(order, index.id)} ${limit}`;
  if (index.table === row && skipped(request) === 0) return sql`select ${columns}, ${key} as sort_key ${ordered}`;
  // Skipped rows are read from the index only.
  return sql`
    select ${columns}, hit.sort_key from (
      select numbered.*, row_number() over () as n from (
        select ${index.id} as id, ${key} as sort_key ${ordered} ${sql.raw(`offset ${skipped(request)}`)}
      ) as numbered
    ) as hit
    join ${row} on ${ownedByFirstParameter(row)} and ${row.id} = hit.id order by hit.n`;
}

function skipped({ after, page, limit }: PageRequest): number {
  return after === null ? (page - 1) * limit : 0;
}

function page<Type>(
  { count, found }: Omit<PageHeader, 'end'>,
  records: Records<Type>,
  endCursor: string | null,
  { limit, page }: PageRequest,
): Page<Type> {
  return {
    count,
    get data() {
      return records.data;
    },
    get json() {
      return records.json;
    },
    endCursor,
    hasNext: found > limit,
    limit,
    page,
  };
}
