import type { SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Pagination } from './pagination.ts';
import type { Projection, Selection } from './projection.ts';
import { type Page, readList, readPage } from './read-page.ts';
import type { ReadContext, RecordTable } from './record-rows.ts';
import { instantKey, nameKey, newestFirst, order } from './sort.ts';

type NamedTable = RecordTable & { name: AnyPgColumn; createdAt: AnyPgColumn; updatedAt: AnyPgColumn };

/**
 * What a plain list and its paged sibling have in common, for example `listCategory` and `categoryPage`: how records
 * are read, and the filters of the arguments as conditions on a row.
 */
export type RecordList<Type, Table extends NamedTable, Args> = {
  projection: (args: Args) => Projection<Type, Table>;
  filters: (row: Table, args: Args) => SQL[];
};

type ListArgs = { pagination?: Pagination | null };
type PageArgs = ListArgs & { sort?: string | null };

/** Reads records as a plain list, newest first. */
export async function readRecordList<Type, Table extends NamedTable, Args extends ListArgs>(
  ctx: ReadContext,
  list: RecordList<Type, Table, Args>,
  args: Args,
  selection: Selection,
): Promise<Type[]> {
  const projection = list.projection(args);
  return await readList(ctx, projection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(projection.table),
    where: (row) => list.filters(row, args),
  });
}

/**
 * Reads one page of the records that the filters of `args` select, in the order of `args.sort`. `sortIndexes` in
 * drizzle/columns.ts defines an index for each order.
 */
export async function readRecordPage<Type, Table extends NamedTable, Args extends PageArgs>(
  ctx: ReadContext,
  list: RecordList<Type, Table, Args>,
  args: Args,
  selection: Selection,
): Promise<Page<Type>> {
  const projection = list.projection(args);
  const { createdAt, updatedAt, name } = projection.table;
  const keys = { createdAt: instantKey(createdAt), updatedAt: instantKey(updatedAt), name: nameKey(name) };
  return await readPage(ctx, projection, {
    selection,
    pagination: args.pagination,
    order: order(args.sort, keys),
    where: (row) => list.filters(row, args),
  });
}
