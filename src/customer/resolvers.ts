import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { deleteCustomerList } from './deleteCustomerList.ts';
import { eraseCustomerList } from './eraseCustomerList.ts';
import { exportCustomer } from './exportCustomer.ts';
import { getErasure } from './getErasure.ts';
import { listErasure } from './listErasure.ts';
import { listCustomer } from './listCustomer.ts';
import { saveCustomer } from './saveCustomer.ts';

export const customerResolvers = {
  Query: {
    listCustomer: (_, args, ctx, info) => listCustomer(ctx, args, info.selection),
    exportCustomer: (_, args, ctx) => exportCustomer(ctx, args),
    getErasure: (_, args, ctx, info) => getErasure(ctx, args, info.selection),
    listErasure: (_, args, ctx, info) => listErasure(ctx, args, info.selection),
  },
  Mutation: {
    saveCustomer: (_, args, ctx, info) => saveCustomer(ctx, args, info.selection),
    deleteCustomerList: (_, args, ctx) => deleteCustomerList(ctx, args),
    eraseCustomerList: (_, args, ctx, info) => eraseCustomerList(ctx, args, info.selection),
  },
} satisfies DomainResolvers;
