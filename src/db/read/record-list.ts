import type { SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  contains,
  type DateFilter,
  dateFilter,
  idFilter,
  isOneId,
  isSince,
  nameFilter,
  notDeleted,
  type StringFilter,
} from '../filter/filter.ts';
import type { Tenant } from '../sql/parameter.ts';
import type { ReadContext } from './complete-records.ts';
import { instantKey, nameKey, newestFirst, order, type Pagination } from './pagination.ts';
import type { Projection, RecordTable, Selection } from './projection.ts';
import { type Page, readList, readPage } from './read-page.ts';

type ListedTable = RecordTable & Record<'name' | 'createdAt' | 'updatedAt' | 'deleted', AnyPgColumn>;

/** What a plain list and its paged sibling have in common, for example `listCategory` and `categoryPage`. */
export type RecordList<Type, Table extends ListedTable, Args = object> = {
  projection: Projection<Type, Table>;
  /** For `includeDeleted`: with the removed parts of each record. */
  withRemoved?: Projection<Type, Table>;
  /** Filters besides those that every list has. */
  filters?: (row: Table, args: Args) => SQL[];
};

/** The arguments that every list has; `search` is an argument of some. */
type ListArgs = {
  id?: StringFilter | null;
  name?: StringFilter | null;
  search?: string | null;
  updatedAt?: DateFilter | null;
  includeDeleted?: boolean | null;
  pagination?: Pagination | null;
};
type PageArgs = ListArgs & { sort?: string | null };
/** An argument that the operation does not read is a type error, because it would have no effect. */
type OnlyRead<Sent, Read> = Sent & Record<Exclude<keyof Sent, keyof Read>, never>;
type Operation<Args, Result> = <Sent extends Args>(
  ctx: ReadContext,
  args: OnlyRead<Sent, Args>,
  selection: Selection,
) => Promise<Result>;

/** The operation that reads the records as a plain list, newest first. */
export function listOperation<Type, Table extends ListedTable, Args>(
  list: RecordList<Type, Table, Args>,
): Operation<ListArgs & Args, Type[]> {
  return async (ctx, args, selection) => {
    const projection = projectionOf(list, args);
    return await readList(ctx, projection, {
      selection,
      pagination: args.pagination,
      order: newestFirst(projection.table),
      isSingle: isOneId(args.id),
      where: (row) => filtersOf(list, row, args),
    });
  };
}

/**
 * The operation that reads one page of the records that the filters of `args` select, in the order of `args.sort`.
 * `sortIndexes` in drizzle/columns.ts defines an index for each order.
 */
export function pageOperation<Type, Table extends ListedTable, Args>(
  list: RecordList<Type, Table, Args>,
): Operation<PageArgs & Args, Page<Type>> {
  return async (ctx, args, selection) => {
    const projection = projectionOf(list, args);
    const { createdAt, updatedAt, name } = projection.table;
    const keys = { createdAt: instantKey(createdAt), updatedAt: instantKey(updatedAt), name: nameKey(name) };
    return await readPage(ctx, projection, {
      selection,
      pagination: args.pagination,
      order: order(args.sort, keys),
      isSingle: isOneId(args.id),
      isPlannedForValues: isSince(args.updatedAt),
      where: (row, { tenant }) => filtersOf(list, row, args, tenant),
    });
  };
}

function projectionOf<Type, Table extends ListedTable, Args>(
  { projection, withRemoved = projection }: RecordList<Type, Table, Args>,
  { includeDeleted }: ListArgs,
): Projection<Type, Table> {
  return includeDeleted ? withRemoved : projection;
}

function filtersOf<Type, Table extends ListedTable, Args>(
  { filters }: RecordList<Type, Table, Args>,
  row: Table,
  args: ListArgs & Args,
  tenant?: Tenant,
): SQL[] {
  return [
    ...notDeleted(row.deleted, args.includeDeleted),
    ...(filters?.(row, args) ?? []),
    ...idFilter(row.id, args.id),
    ...nameFilter(row.name, args.name),
    ...contains(row.name, args.search),
    ...dateFilter(row.updatedAt, args.updatedAt, tenant?.isLiteral),
  ];
}
