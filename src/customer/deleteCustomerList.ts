import { customer } from '../../drizzle/customer.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteCustomerList = deleteOperation(customer, 'Customer');
