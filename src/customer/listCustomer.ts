import { customer } from '../../drizzle/customer.ts';
import { checkedAsOf } from '../change/as-of.ts';
import { recordsAsOf } from '../change/records-as-of.ts';
import type { Context } from '../context.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import {
  containsFolded,
  dateFilter,
  emailFilter,
  idFilter,
  isSince,
  notDeleted,
  textFilter,
} from '../db/filter/filter.ts';
import type { EarlierRows } from '../db/read/earlier-rows.ts';
import { instantKey, nameKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { Customer, QueryListCustomerArgs } from '../graphql/generated/types.ts';
import { customerProjection } from './customer.ts';

const sortKeys = {
  createdAt: instantKey(customer.createdAt),
  updatedAt: instantKey(customer.updatedAt),
  firstName: nameKey(customer.firstName),
};

export async function listCustomer(
  ctx: Context,
  args: QueryListCustomerArgs,
  selection: Selection,
): Promise<Page<Customer>> {
  if (args.asOf == null) return await readCustomers(ctx, args, selection);
  return await inSnapshot(ctx, async (ctx) => {
    const { at, ids } = await checkedAsOf(ctx, args);
    const { earlier } = await recordsAsOf(ctx, 'CUSTOMER', ids, at);
    return await readCustomers(ctx, args, selection, earlier);
  });
}

async function readCustomers(
  ctx: Context,
  args: QueryListCustomerArgs,
  selection: Selection,
  earlier?: readonly EarlierRows[],
): Promise<Page<Customer>> {
  return await readPage(ctx, customerProjection, {
    selection,
    pagination: args.pagination,
    ...(earlier && { earlier }),
    order: order(args.sort, sortKeys),
    isPlannedForValues: typeof args.search === 'string' || isSince(args.updatedAt),
    where: (row, { tenant }) => [
      ...notDeleted(row.deleted, args.includeDeleted),
      ...idFilter(row.id, args.id),
      ...idFilter(row.merchantId, args.merchantId),
      ...emailFilter(row.email, args.email),
      ...textFilter(row.phone, args.phone),
      ...containsFolded(row.searchText, args.search),
      ...dateFilter(row.updatedAt, args.updatedAt, tenant.isLiteral),
    ],
  });
}
