import { customer } from '../../drizzle/customer.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteCustomerListArgs } from '../graphql/generated/types.ts';

export async function deleteCustomerList(ctx: Context, args: MutationDeleteCustomerListArgs): Promise<boolean> {
  return await deleteRecords(ctx, customer, 'Customer', args.idList);
}
