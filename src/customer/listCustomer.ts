import { customer } from '../../drizzle/customer.ts';
import type { Context } from '../context.ts';
import { containsFolded, dateFilter, emailFilter, idFilter, notDeleted, textFilter } from '../db/filter/filter.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { instantKey, nameKey, order } from '../db/read/sort.ts';
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
  return await readPage(ctx, customerProjection, {
    selection,
    pagination: args.pagination,
    order: order(args.sort, sortKeys),
    where: (row) => [
      ...notDeleted(row.deleted, args.includeDeleted),
      ...idFilter(row.id, args.id),
      ...idFilter(row.merchantId, args.merchantId),
      ...emailFilter(row.email, args.email),
      ...textFilter(row.phone, args.phone),
      ...containsFolded(row.searchText, args.search),
      ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}
